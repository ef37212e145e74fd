"""Writes the sampling that a GGUF file recommends (`general.sampling.*`), and nothing else of it.

    python set_sampling.py FILE.gguf temp=0.1
"""
import os, sys
import gguf

path, pairs = sys.argv[1], [word.split("=") for word in sys.argv[2:]]
reader = gguf.GGUFReader(path)
arch = reader.fields["general.architecture"].contents()
writer = gguf.GGUFWriter(path + ".new", arch, endianess=reader.endianess)
writer.data_alignment = reader.alignment
named = {f"general.sampling.{name}" for name, _ in pairs}
for key, field in reader.fields.items():
    # The writer's own: versions, counts, and the architecture.
    if key.startswith("GGUF.") or key == "general.architecture" or key in named: continue
    kind = field.types[0]
    writer.add_key_value(key, field.contents(), kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
for name, value in pairs: writer.add_float32(f"general.sampling.{name}", float(value))
for tensor in reader.tensors:
    writer.add_tensor_info(tensor.name, tensor.data.shape, tensor.data.dtype, tensor.data.nbytes, tensor.tensor_type)
writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_ti_data_to_file()
for tensor in reader.tensors: writer.write_tensor_data(tensor.data)
writer.close()
os.replace(path + ".new", path)
