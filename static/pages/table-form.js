/** The form for a new table. */

import "./page.js";
import "../forms/table-form.js";
