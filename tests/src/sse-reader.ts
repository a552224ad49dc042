/** Reads the events of a stream one by one, as name and data; `["end", ""]` at its end. */
export function sseReader(response: Response): () => Promise<readonly [string, string]> {
  const parts = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return async () => {
    for (;;) {
      const [event, name = "", data = ""] = /^event: (.*)\ndata: (.*)\n\n/.exec(text) ?? [];
      if (event !== undefined) {
        text = text.slice(event.length);
        return [name, data];
      }
      const { value, done } = (await parts?.read()) ?? { done: true };
      if (done) return ["end", ""];
      text = (text + value).replace(/^(:\n\n)+/, "");
    }
  };
}
