#!/usr/bin/env node
require("../dist/loader.js").load("start.js");
