import { expect, test } from 'vitest'
import { api } from '../../src/app.ts'
import { describeApi } from '../../src/infra/http/openapi.ts'
import { sitePages } from '../../src/site/pages.ts'
import { expectGenerated } from '../../test/generated.ts'
import { frameOperations, pageOperations } from './page-operations.ts'

/** docs/generated/pages.md: what each page of the website asks of the API. `site.test.ts` watches what they ask. */

test('every page of the service has a row, and every row a page', () => {
  expect(pageOperations.map((page) => page.path).toSorted()).toEqual(sitePages.map((page) => page.path).toSorted())
})

test('every operation of a page is one of the description', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of many forms; only its ids are read.
  const { paths } = describeApi(api) as any
  const described = Object.values<Record<string, { operationId?: string }>>(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  const named = [...new Set([...frameOperations, ...pageOperations.flatMap((page) => page.operations)])]
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !described.includes(name))).toEqual([])
})

test('the committed list of pages is that of the routes', () => {
  const shown = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' ') || '–'
  const text = [
    '# Pages of the website',
    '',
    'Routes with the operations that their components read, follow, send or link to, found along the imports from',
    '`web/site/routes`. What a page does not ask before somebody acts is among them. Generated; do not edit.',
    '',
    '| page | operations |',
    '|---|---|',
    `| every page | ${shown(frameOperations)} |`,
    ...pageOperations.map((page) => `| \`${page.path}\` | ${shown(page.operations)} |`),
    '',
  ].join('\n')
  expectGenerated('pages.md', text)
})
