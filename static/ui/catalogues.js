// The message catalogues, bundled as text: the first paint waits for no second request.

import de from "../locales/de.ftl";
import en from "../locales/en.ftl";
import tr from "../locales/tr.ftl";

export const CATALOGUES = { de, en, tr };
