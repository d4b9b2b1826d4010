/* Search from a folder: browsers start no worker from file://. This one runs the worker's script in a hidden frame.
 * Used by the offline build alone (mkdocs.offline.yml); the theme would otherwise fetch one of this kind from elsewhere. */
(function () {
  if (location.protocol !== "file:") return;

  class FolderWorker extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...scripts) => scripts.reduce(
        (before, script) => before.then(() => load(inside, script)), Promise.resolve());
      load(inside, address).then(() => {
        this.ready = inside;
        this.waiting.splice(0).forEach(data => this.postMessage(data));
      }, error => this.dispatchEvent(new ErrorEvent("error", { message: error.message })));
    }

    postMessage(data) {
      if (!this.ready) this.waiting.push(data);
      else this.ready.dispatchEvent(new this.ready.MessageEvent("message", { data }));
    }
  }

  function load(inside, address) {
    return new Promise((loaded, failed) => {
      const script = inside.document.createElement("script");
      script.src = new URL(address, location.href).href;
      script.onload = loaded;
      script.onerror = () => failed(new Error(`${address} can't be loaded`));
      inside.document.head.append(script);
    });
  }

  window.Worker = FolderWorker;
})();
