import { enableCompileCache } from 'node:module'
import './resolve.js'

// Before the first TypeScript is loaded, so that later starts find all of it compiled. That is why this is JavaScript.
enableCompileCache()
await import('../src/main.ts')
