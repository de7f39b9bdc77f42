// The page's script begins here; esbuild makes one file of it and all that it imports (tools/build_web).
import "./viewer/viewer.js";
