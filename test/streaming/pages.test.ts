import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { serverKinds } from '../../src/infra/clients/media-servers/types.ts'

/** The pages about the setup of media servers. `nginx.test.ts` runs that of nginx. */

const folder = path.join(import.meta.dirname, '../../docs/streaming')
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
const kinds = serverKinds.filter((kind) => kind !== 'generic')

test('each kind of server has one, and the first page leads there', () => {
  expect(readdirSync(folder).toSorted()).toEqual(['README.md', ...kinds.map((kind) => `${kind}.md`).toSorted()])
  const first = read('README.md')
  for (const kind of kinds) expect(first).toContain(`(${kind}.md)`)
})

test.each(kinds)('that of %s has a configuration with the address of the hook and the secret to fill in', (kind) => {
  const configuration = /```(?:nginx|yaml|xml)\n(.*?)```/s.exec(read(`${kind}.md`))?.[1] ?? ''
  expect(configuration).toContain('{base_url}/api/streaming/hooks/{server}')
  expect(configuration).toContain('{secret}')
  if (kind === 'ovenmediaengine') {
    expect(XMLValidator.validate(configuration)).toBe(true)
    // It signs with the secret, and does not send it.
    expect(configuration).not.toContain('secret={secret}')
  }
})
