import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindable } from '../../src/engine/scenes/bindable.ts'
import { elementTypes } from '../../src/engine/scenes/document.ts'
import { elementParts, usualParts } from '../../src/engine/scenes/parts.ts'
import { propsOf } from '../../src/engine/scenes/schema/props.ts'
import type { JsonSchema } from '../../src/engine/scenes/schema/values.ts'
import { builtInTemplates } from '../../src/engine/scenes/templates/templates.ts'
import { readDocument } from '../../src/features/overlays/sceneDocuments/rules/documents.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { startWebsite, type Website } from './website.ts'

/** The painters, the schema and the built-in scenes use the same types and props. (overlays: Scene document) */

let browser: RealBrowser
let website: Website
beforeAll(async () => {
  ;[browser, website] = await Promise.all([openBrowser(), startWebsite()])
}, provisionMs)
afterAll(async () => {
  await website?.[Symbol.asyncDispose]()
  await browser?.close()
})

test.each(builtInTemplates.map(({ key, document }) => [key, document] as const))(
  'the template %s is a document as any other',
  (_, document) => {
    expect(readDocument(JSON.parse(JSON.stringify(document)))).toEqual({ ok: true, document })
  },
)

function namesOf({ properties = {} }: JsonSchema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, member]) =>
    member.properties === undefined ? [prefix + name] : namesOf(member, `${prefix}${name}.`),
  )
}

test('the page reads what the schema of a type has, and nothing else', async () => {
  await using visitor = await browser.visitor(website)
  await visitor.page.goto('/?')
  await visitor.page.waitForFunction('globalThis.opened !== undefined')
  const read = await visitor.page.evaluate('globalThis.opened.propsRead()')
  const allowed = elementTypes.map((type) => {
    // The address of an image is bound, and never in its props.
    const bound = type === 'image' ? Object.keys(bindable.image).filter((name) => name === 'address') : []
    return [type, [...namesOf(propsOf[type]), ...bound].sort()]
  })
  expect(read).toEqual(Object.fromEntries(allowed))
})

test('parts that are shown where a document names none are among those that there are', () => {
  for (const type of Object.keys(elementParts) as (keyof typeof elementParts)[]) {
    expect(elementParts[type]).toEqual(expect.arrayContaining([...usualParts(type)]))
    expect(new Set(elementParts[type]).size).toBe(elementParts[type].length)
  }
})
