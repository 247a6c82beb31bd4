#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded, so that later starts find all of it compiled.
enableCompileCache()
const { run } = await import('./cli/cli.ts')
await run(process.argv)
