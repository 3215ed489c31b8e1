// Search without a server. From a folder (file:) browsers start no workers and fetch no files, so the index comes as
// a script, search/search_index.js, and the theme's search worker runs in a hidden frame.
if (location.protocol === "file:") {
  const base = new URL(document.currentScript.dataset.base + "/", location.href);
  const index = new Promise((resolve) => {
    window.toccataSearchIndex = resolve;
    const script = document.createElement("script");
    script.src = new URL("search/search_index.js", base);
    document.head.append(script);
  });
  window.__search = { index };

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = new URL(url, location.href);
      this.ready = new Promise((resolve) => { script.onload = () => resolve(inside); });
      inside.document.body.append(script);
    }
    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
  };
}
