// Draws the orb: larger and livelier as the person or the model speaks, in the colour of what goes on.

/// As LeapUi's VoiceWidgetColors has them.
const colors = { idle: [107, 114, 128], listening: [37, 99, 235], responding: [5, 150, 105], error: [220, 38, 38] };

/// The colour's name for a state.
export function orbColor({ state, problem }) {
  if (problem) return "error";
  if (state === "listening") return "listening";
  return ["taking", "responding", "playing"].includes(state) ? "responding" : "idle";
}

const mixed = (from, to, share) => from.map((value, index) => value + (to[index] - value) * share);
const css = (color, alpha = 1) => `rgb(${color.map(Math.round).join(" ")} / ${alpha})`;
const lighter = (color, share) => mixed(color, [255, 255, 255], share);

export class Orb {
  #canvas;
  #color = colors.idle;
  #level = 0;
  /// How far the orb has turned.
  #turn = 0;

  constructor(canvas) { this.#canvas = canvas; }

  /// Draws a frame that is this many seconds behind the one before.
  move(assistant, seconds) {
    const isWaiting = assistant.state === "unavailable" || assistant.state === "opening" || assistant.state === "taking" || assistant.state === "responding";
    const target = assistant.problem ? 0 : Math.max(assistant.level, isWaiting ? 0.12 + 0.08 * Math.sin(performance.now() / 300) : 0);
    // Up at once, down slowly: so levels are read best.
    this.#level += (target - this.#level) * Math.min(1, seconds * (target > this.#level ? 22 : 7));
    this.#turn += seconds * (0.5 + 2.2 * this.#level);
    this.#color = mixed(this.#color, colors[orbColor(assistant)], Math.min(1, seconds * 9));
    this.#draw(this.#level, this.#turn);
  }

  /// Draws it at rest.
  rest(assistant) {
    this.#color = colors[orbColor(assistant)];
    this.#level = 0;
    this.#draw(0, 0);
  }

  #draw(level, turn) {
    const { width } = this.#canvas;
    const context = this.#canvas.getContext("2d");
    const middle = width / 2;
    const radius = width * (0.23 + 0.08 * level);
    context.clearRect(0, 0, width, width);
    const glow = context.createRadialGradient(middle, middle, radius * 0.8, middle, middle, Math.min(middle, radius * 1.75));
    glow.addColorStop(0, css(this.#color, 0.22 + 0.3 * level));
    glow.addColorStop(1, css(this.#color, 0));
    context.fillStyle = glow;
    context.fillRect(0, 0, width, width);
    for (let layer = 2; layer >= 0; layer -= 1) {
      context.fillStyle = css(lighter(this.#color, 0.12 * layer), layer === 0 ? 1 : 0.28);
      this.#blob(middle, radius * (1 + 0.09 * layer * (0.4 + level)), level * (0.05 + 0.035 * layer), turn * (layer % 2 ? -1 : 1) + layer);
    }
    const light = context.createRadialGradient(middle - radius * 0.35, middle - radius * 0.45, radius * 0.05, middle, middle, radius * 1.05);
    light.addColorStop(0, css(lighter(this.#color, 0.75), 0.85));
    light.addColorStop(0.45, css(lighter(this.#color, 0.3), 0.4));
    light.addColorStop(1, css(mixed(this.#color, [0, 0, 0], 0.25), 0.35));
    context.fillStyle = light;
    this.#blob(middle, radius, level * 0.05, turn);
  }

  /// A circle whose edge waves by a share of its radius.
  #blob(middle, radius, waving, turn) {
    const context = this.#canvas.getContext("2d");
    const steps = 96;
    context.beginPath();
    for (let step = 0; step < steps; step += 1) {
      const angle = step / steps * 2 * Math.PI;
      const wave = Math.sin(3 * angle + 2 * turn) + 0.6 * Math.sin(5 * angle - 3 * turn);
      const reach = radius * (1 + waving * wave);
      context.lineTo(middle + reach * Math.cos(angle), middle + reach * Math.sin(angle));
    }
    context.closePath();
    context.fill();
  }
}
