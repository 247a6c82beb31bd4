#!/usr/bin/env node
// Read by whatever Node.js is on the path: old ones must understand this file, as a module or as a script, to say so.
const wanted = 24
if (parseInt(process.versions.node, 10) < wanted) {
  process.stderr.write(`downbeat: Node.js ${wanted} or later is needed, and this is ${process.version}.\n`)
  process.exitCode = 1
} else {
  import('./start.js')
}
