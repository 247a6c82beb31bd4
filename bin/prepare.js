// Run by `npm ci`, on whatever Node.js is on the path: with `--omit=dev` there may be neither the one that the project brings,
// nor what builds the pages, and nothing is to be done.
import { existsSync } from 'node:fs'

const isThere = existsSync(new URL('../node_modules/vite/package.json', import.meta.url))
if (isThere && parseInt(process.versions.node, 10) >= 24) {
  import('../src/infra/web/built.ts').then(({ freshenPages }) =>
    freshenPages().then((words) => {
      if (words !== null) process.stdout.write(`downbeat: ${words}\n`)
    }),
  )
}
