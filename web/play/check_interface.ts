// For the type checker alone: the module is what its interface promises.

import * as made from "./reprise-play.ts";
import type * as promised from "./public/reprise-play.d.ts";

made satisfies typeof promised;
