// Reads replies that arrive in pieces.

/// The lines of a body, as they come.
async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      for (const line of parts) yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    if (rest) yield rest;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/// The data of server-sent events, parsed, until `[DONE]`.
export async function* events(body) {
  let data = [];
  for await (const line of lines(body)) {
    if (line === "") {
      const text = data.join("\n");
      data = [];
      if (text === "[DONE]") return;
      if (text) yield JSON.parse(text);
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
}

/// A JSON document for each line.
export async function* documents(body) {
  for await (const line of lines(body)) if (line.trim()) yield JSON.parse(line);
}
