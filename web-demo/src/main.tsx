import { render } from "preact";
import { boot } from "./boot";
import { App } from "./components/app";
import { listen } from "./keys";
import "./style.css";

render(<App />, document.getElementById("app")!);
listen();
void boot();
