import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeVotedEdition, managerOf } from './award-votes.ts'
import { type Caller, type Harness, outcome, startHarness } from './harness.ts'
import { makePlatform, makeTournament, platformMember, remembered } from './make.ts'
import { makePool } from './pools.ts'
import { openStream } from './realtime/streams.ts'

/** Reads of records with Markdown answer it as HTML, too, where `include=html` asks for that. (D36) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Kind {
  readonly path: string
  /** Whether the read can be followed. */
  readonly isLive: boolean
  readonly write: (text: string) => Promise<unknown>
  /** The HTML in an answer. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as JSON of every shape.
  readonly htmlIn: (body: any) => string | undefined
}

const description: Kind['htmlIn'] = (body) => body.html?.description

async function changed(reply: ReturnType<Harness['patch']>): Promise<void> {
  expect(outcome(await reply)).toEqual([200, null])
}

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  'a map pool': async () => {
    const { path, write } = await pool()
    return { path, isLive: true, write, htmlIn: description }
  },
  'a map pool as everybody sees it': async () => {
    const { guid, write } = await pool()
    return { path: `/resources/pooling/pools/${guid}`, isLive: false, write, htmlIn: description }
  },
  'a platform': async () => {
    const platform = await makePlatform(api)
    const admin = await platformMember(api, platform, 'admin')
    const path = `/tournament-platforms/${platform.contextId}`
    return {
      path,
      isLive: false,
      write: (text) => changed(api.put(path, admin, { description: text })),
      htmlIn: description,
    }
  },
  'a user': async () => {
    const user = await api.user()
    const write = (text: string) => changed(api.post('/updateUserSettings', user, { description: text }))
    return { path: `/users/${user.guid}`, isLive: false, write, htmlIn: description }
  },
  'an edition of the awards': async () => {
    const { path } = await makeVotedEdition(api)
    const manager = await managerOf(api)
    const write = async (text: string) => {
      const { updatedAt: expectedUpdatedAt } = (await api.get(path, manager)).body
      await changed(api.patch(path, manager, { description: text, expectedUpdatedAt }))
    }
    return { path, isLive: true, write, htmlIn: description }
  },
  'a category of the awards': async () => {
    const { path, categories } = await makeVotedEdition(api, { status: 'nominating' })
    const manager = await managerOf(api)
    const ofCategory = `${path}/categories/${categories[0].guid}`
    const write = (text: string) => changed(api.patch(ofCategory, manager, { description: text }))
    return { path, isLive: true, write, htmlIn: ({ categories: [first] }) => first.html?.description }
  },
  'a notice': async () => {
    const manager: Caller = await api.user({ globalRoles: ['role:owner'] })
    const made = await api.post('/notices', manager, { title: 'Work', content: 'Later.', level: 'critical' })
    const { guid } = made.body
    const write = (text: string) => changed(api.patch(`/notices/${guid}`, manager, { content: text }))
    const htmlIn: Kind['htmlIn'] = (body) => body.find((notice: { guid: string }) => notice.guid === guid).html?.content
    return { path: '/notices', isLive: true, write, htmlIn }
  },
}

async function pool() {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  const { guid } = await makePool(api, cup.guid, { status: 'published' })
  const path = `/tournaments/${cup.id}/pools/${guid}`
  return { guid, path, write: (text: string) => changed(api.patch(path, organiser, { description: text })) }
}

test.each(Object.keys(kinds))('%s', async (name) => {
  await using sibling = await api.sibling()
  const { path, isLive, write, htmlIn } = await (kinds[name] as () => Promise<Kind>)()
  const asked = `${path}?include=html`
  await write('To **Sunday**. <script>alert(1)</script>[x](javascript:alert(1))')
  const plain = await api.get(path)
  const rendered = await api.get(asked)
  expect([plain.status, rendered.status, htmlIn(plain.body)]).toEqual([200, 200, undefined])
  expect(htmlIn(rendered.body)).toBe('<p>To <strong>Sunday</strong>. x</p>\n')
  expect(JSON.parse(JSON.stringify(rendered.body, (key, value) => (key === 'html' ? undefined : value)))).toEqual(
    plain.body,
  )

  // Neither of the two is older than a change, nor answered in place of the other. (D12)
  for (const text of ['One', 'Two']) {
    await write(text)
    for (const service of [api, sibling]) {
      expect(htmlIn((await remembered(service, asked)).body)).toBe(`<p>${text}</p>\n`)
      expect(htmlIn((await remembered(service, path)).body)).toBeUndefined()
    }
  }
  expect(outcome(await api.get(`${path}?include=texts`))).toEqual([400, 'include.invalid'])
  expect((await api.get(`${path}?include=`)).text).toBe((await api.get(path)).text)

  if (!isLive) return
  await using stream = await openStream(api, [asked])
  await stream.copies.until((held) => held.all.has(asked), 'the record')
  await write('*Three*')
  await stream.copies.until(() => htmlIn(stream.copies.of(asked).body) === '<p><em>Three</em></p>\n', 'the new text')
  expect(stream.copies.of(asked).body).toEqual((await api.get(asked)).body)
})
