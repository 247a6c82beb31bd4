import { run } from './cli/cli.ts'

await run(process.argv)
