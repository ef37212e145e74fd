"""A cost model of layers on a GPU: what it gives for the H100 beside what was measured there, and forecasts for other GPUs.

    python Benchmarks/gpu-cost.py

Prints the two tables of docs/GPU.md (A cost model). Exit status 1 if the model misses a figure of the H100 by more than 20%. Needs no packages.

The time of a pass is the sum of:

- dispatches, each with a fixed time
- for one token: the bytes of the weights, and those of keys and values, each over a rate
- for a few tokens: the workgroups of products with up to eight vectors, each with a fixed time
- for a prompt: the tiles of each product on matrix units, in as many turns as the GPU's units need, or workgroups as above; multiplications of attention;
  the steps of convolutions, one after the other
"""
import math, sys

Q4_0, Q6_K, HALF = 18 / 32, 210 / 256, 2
# Rows of a workgroup and vectors of a product with several (GPUKernel); rows and vectors of a tile; positions of a prompt's pass.
ROWS, WIDTH, TILE, CHUNK = 4, 8, 128, 512


class Shape:
    """The products of a model: (rows, columns, how many) for its layers, and the head."""

    def __init__(self, name, width, inner, attention, convolutions, keys, vocabulary, dispatches):
        self.name, self.width, self.attention, self.convolutions, self.keys, self.dispatches = name, width, attention, convolutions, keys, dispatches
        layers = attention + convolutions
        self.products = [(width, width, 2 * attention), (keys, width, 2 * attention), (3 * width, width, convolutions), (width, width, convolutions),
                         (inner, width, 2 * layers), (width, inner, layers)]
        self.head = (vocabulary, width)

    @property
    def weights(self): return sum(r * c * n for r, c, n in self.products)
    @property
    def bytes(self): return self.weights * Q4_0 + math.prod(self.head) * Q6_K
    @property
    def groups(self): return sum(math.ceil(r / ROWS) * n for r, _, n in self.products)
    def positions(self, count): return 2 * self.keys * HALF * self.attention * count


MODELS = [Shape("Llama-3.1-8B", 4096, 14336, 32, 0, 1024, 128256, 32 * 10 + 3), Shape("LFM2-1.2B", 2048, 8192, 6, 10, 512, 65536, 133)]


class GPU:
    """Rates in bytes and operations per second, times in seconds."""

    def __init__(self, units, weights, positions, dispatch, workgroup, tiles, attention, step):
        self.units, self.weights, self.positions, self.dispatch, self.workgroup, self.tiles, self.attention, self.step = \
            units, weights, positions, dispatch, workgroup, tiles, attention, step

    def decode(self, model, depth=0):
        # From position 64 on, attention takes a dispatch more.
        count = model.dispatches + (model.attention if depth >= 64 else 0)
        return 1 / (count * self.dispatch + model.bytes / self.weights + model.positions(depth) / self.positions)

    def together(self, model, count):
        groups = model.groups + math.ceil(model.head[0] / ROWS)
        return count / (model.dispatches * self.dispatch + groups * math.ceil(count / WIDTH) * self.workgroup)

    def prefill(self, model, count):
        chunks = count / CHUNK
        if self.tiles:
            turns = sum(math.ceil(math.ceil(r / TILE) * math.ceil(CHUNK / TILE) / self.units) * c * n for r, c, n in model.products)
            products = chunks * turns * 2 * TILE * TILE / (self.tiles / self.units)
        else:
            products = math.ceil(count / WIDTH) * model.groups * self.workgroup
        attention = 4 * count * count / 2 * model.width * model.attention / self.attention
        return count / (chunks * model.dispatches * self.dispatch + products + attention + count * model.convolutions * self.step)


# Weights at 1.5 TB/s: measured, a product with a barrier around it. The other six rates and times were fitted to the figures marked with *.
H100 = GPU(units=132, weights=1.5e12, positions=390e9, dispatch=5.9e-6, workgroup=29.2e-9, tiles=89e12, attention=6.2e12, step=2.1e-6)
H100_BANDWIDTH, H100_FLOAT, H100_HALF = 3.35e12, 66.9e12, 989e12
# docs/GPU.md (Speed), the 8B model and the 1.2B one; means where two runs are given. The second string says which were fitted to.
MEASURED = [("decode", "**", H100.decode, (), (222.5, 751)), ("decode after 4,096 tokens", "* ", H100.decode, (4096 + 32,), (165, 611)),
            ("eight sequences together", "* ", H100.together, (8,), (621, 1967)), ("prefill 512", "**", H100.prefill, (512,), (4594, 16466)),
            ("prefill 2,048", "* ", H100.prefill, (2048,), (3534, 13671))]

# Published: bytes/s of memory, operations/s in single precision, those of matrix units in half precision where this code can use them, units;
# and the bytes of memory of the smallest one.
# Of the RX 7600's, single precision counts two instructions at a time. Apple's and Intel's matrix units have other sizes than the kernels take.
OTHERS = {"Apple A14": ((34.1e9, 0.654e12, None, 4), 4e9), "Apple M1, 8 cores": ((68.2e9, 2.6e12, None, 8), 8e9),
          "Radeon RX 7600": ((288e9, 21.75e12, 43.5e12, 32), 8e9), "Arc A770M": ((512e9, 16.8e12, None, 32), 16e9)}


def scaled(bandwidth, floats, halves, units, share=None):
    """A GPU that reaches the H100's shares of what is published; `share` of the bandwidth for weights, if given."""
    slower = H100_FLOAT / floats
    weights = bandwidth * (share or H100.weights / H100_BANDWIDTH)
    return GPU(units, weights, bandwidth * H100.positions / H100_BANDWIDTH, H100.dispatch, H100.workgroup * slower,
               H100.tiles * halves / H100_HALF if halves else None, H100.attention / slower, H100.step)


def main():
    print("| | measured | model | difference |\n|---|---|---|---|")
    worst = 0
    for name, fitted, predict, arguments, known in MEASURED:
        for model, star, value in zip(MODELS, fitted, known):
            found = predict(model, *arguments); difference = found / value - 1; worst = max(worst, abs(difference))
            print(f"| {model.name}, {name}{' *' if star == '*' else ''} | {value:,.0f} | {found:,.0f} | {round(difference * 100):+d}% |")
    print("\n| | decode, LFM2-1.2B | prefill 512, LFM2-1.2B | decode, Llama-3.1-8B | prefill 512, Llama-3.1-8B |\n|---|---|---|---|---|")
    for name, (facts, memory) in OTHERS.items():
        low, high = scaled(*facts), scaled(*facts, share=0.8)
        # The system and keys and values need the rest.
        cells = [f"{low.decode(m):,.0f} to {high.decode(m):,.0f} | {low.prefill(m, 512):,.0f}" if m.bytes < 0.75 * memory else "too large | too large"
                 for m in reversed(MODELS)]
        print(f"| {name} | {' | '.join(cells)} |")
    if worst > 0.2: sys.exit(f"the model misses a figure by {worst:.0%}")


main()
