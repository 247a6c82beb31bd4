import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, remembered, roleHolder } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { openStream } from '../../../../test/realtime/streams.ts'
import { documentWith, elementOf } from '../../../../test/scene-documents.ts'
import { timely } from '../../../../test/waiting.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { builtInTemplates } from '../../../engine/scenes/templates/templates.ts'
import { openDraft } from '../sceneDocuments/commands/replacing.ts'
import { digestOfText } from '../sceneDocuments/rules/digest.ts'
import { lockDraft } from '../sceneDocuments/store/updates.ts'

/** The overlays of a tournament: who may see them, and who may change them. */

let api: Harness
let organiser: Caller
let stranger: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  stranger = await api.user()
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const codeOf = (reply: Reply) => outcome(reply).join(' ')
const pathOf = ({ guid }: { readonly guid: string }, of = cup) => `/tournaments/${of.guid}/overlays/${guid}`

async function make(body: object, as = organiser, of = cup): Promise<Reply['body']> {
  const reply = await api.post(`/tournaments/${of.guid}/overlays`, as, body)
  expect(codeOf(reply), reply.text).toBe('201 ')
  return reply.body
}

const documentOf = ({ guid }: { readonly guid: string }) =>
  api.app.database.transaction(async (tx) => {
    const draft = await lockDraft(tx, guid)
    return draft && (await openDraft(tx, draft)).document
  })

const eventsOf = async ({ guid }: { readonly guid: string }) =>
  api.sql(`select type, before, after from event_log where subject = $1 order by seq`, [guid])

describe('a new overlay', () => {
  test('is made from nothing, from a template or from another overlay', async () => {
    const empty = await make({ name: ' Main\tstage ' })
    expect(empty).toEqual({
      guid: empty.guid,
      tournament: { guid: cup.guid, id: cup.id, name: `Tournament ${cup.id}` },
      name: 'Main stage',
      access: 'token',
      match: null,
      editors: [],
      published: null,
      dirty: true,
      canvas: { width: 1920, height: 1080 },
      draft: {
        revision: 0,
        generation: 1,
        updatedAt: expect.any(String),
        updatedBy: expect.objectContaining({ guid: organiser.guid }),
      },
      urls: {
        live: `${api.url}/overlay/live`,
        manage: `${api.url}/overlay/manage/${cup.guid}/${empty.guid}`,
        control: `${api.url}/overlay/control/${empty.guid}`,
        coordinate: `${api.url}/coordinate/${cup.guid}/${empty.guid}`,
      },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const scenes = Object.values((await documentOf(empty))?.scenes ?? {})
    expect(scenes).toMatchObject([{ elements: {} }])
    expect(await eventsOf(empty)).toEqual([
      { type: 'overlay.created', before: null, after: { name: 'Main stage', access: 'token' } },
    ])

    for (const { key, document } of builtInTemplates) {
      const made = await make({ name: `By ${key}`, template: key })
      const [draft] = await api.sql<{ digest: Buffer }>(`select digest from overlay_drafts where overlay_guid = $1`, [
        made.guid,
      ])
      // In this tournament each plays alone, for which “teams” is the duel.
      const expected = key === 'teams' ? builtInTemplates.find((each) => each.key === 'duel')?.document : document
      expect(draft?.digest, key).toEqual(digestOfText(canonicalJson(expected)))
    }

    const own = { ...documentWith({ title00001: elementOf() }), canvas: { ...documentWith().canvas, width: 1280 } }
    const [template] = await api.sql<{ guid: string }>(
      `insert into overlay_templates (user_guid, name, bytes, document) values ($1, 'Mine', 1, $2) returning guid`,
      [organiser.guid, JSON.stringify(own)],
    )
    const fromOwn = await make({ name: 'Of my own', template: template?.guid.toUpperCase() })
    expect(canonicalJson(await documentOf(fromOwn))).toBe(canonicalJson(own))
    expect(fromOwn.canvas.width).toBe(1280)

    const copy = await make({ name: 'A copy', template: fromOwn.guid })
    expect(canonicalJson(await documentOf(copy))).toBe(canonicalJson(own))

    const others = await makeTournament(api, stranger)
    const elsewhere = `/tournaments/${others.guid}/overlays`
    for (const unknown of [template?.guid, fromOwn.guid, randomUUID(), 'nothing', `${fromOwn.guid}x`]) {
      expect(codeOf(await api.post(elsewhere, stranger, { name: 'X', template: unknown }))).toBe('404 template.unknown')
    }
    await api.patch(pathOf(fromOwn), organiser, { editors: [stranger.guid] })
    const copied = await make({ name: 'By an editor', template: fromOwn.guid }, stranger, others)
    expect(canonicalJson(await documentOf(copied))).toBe(canonicalJson(own))
  })

  test('has a name of its own, and there are fifty at most, however many are made at once', async () => {
    const of = await makeTournament(api, organiser)
    await make({ name: 'Stage' }, organiser, of)
    const again = await api.post(`/tournaments/${of.guid}/overlays`, organiser, { name: 'STAGE' })
    expect(codeOf(again)).toBe('409 overlay.name_taken')
    const other = await make({ name: 'Other' }, organiser, of)
    const path = `/tournaments/${of.guid}/overlays`
    // One name has a full-width letter, the other a letter of zero width.
    for (const name of ['\uFF33tage', 'Sta\u180Ege']) {
      expect(codeOf(await api.post(path, organiser, { name }))).toBe('409 overlay.name_taken')
      expect(codeOf(await api.patch(`${path}/${other.guid}`, organiser, { name }))).toBe('409 overlay.name_taken')
    }
    await api.delete(`${path}/${other.guid}`, organiser)
    await api.sql(
      `insert into overlays (tournament_guid, name) select $1, 'Made ' || number from generate_series(1, 48) number`,
      [of.guid],
    )
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api.post(`/tournaments/${of.guid}/overlays`, organiser, { name: `Last ${index}` }),
      ),
    )
    expect(replies.map(codeOf).toSorted()).toEqual(['201 ', ...Array(49).fill('409 overlay.too_many')])
  })

  test('keeps a name that looked like another one before such were refused, and may be written otherwise', async () => {
    const of = await makeTournament(api, organiser)
    await make({ name: 'Stage' }, organiser, of)
    const alike = await make({ name: 'Other' }, organiser, of)
    await api.sql('update overlays set name = $1 where guid = $2', ['\u0405tage', alike.guid])
    const path = `/tournaments/${of.guid}/overlays`
    const change = (body: object) => api.patch(`${path}/${alike.guid}`, organiser, body)
    expect((await change({ name: '\u0405tage', access: 'public' })).status).toBe(200)
    expect((await change({ name: 'Stage two' })).body.name).toBe('Stage two')
    expect((await change({ name: 'STAGE two' })).body.name).toBe('STAGE two')
  })

  test('needs a name that fits', async () => {
    for (const name of ['', ' \u200b ', 'x'.repeat(61), 'a\u0000b', 7]) {
      expect(codeOf(await api.post(`/tournaments/${cup.guid}/overlays`, organiser, { name }))).toMatch(/^400 request/)
    }
  })
})

describe('who', () => {
  test('sees and changes an overlay', async () => {
    const overlay = await make({ name: 'For some' })
    const editor = await api.user()
    expect(codeOf(await api.patch(pathOf(overlay), organiser, { editors: [editor.guid] }))).toBe('200 ')
    const roles = ['role:admin', 'role:staff', 'role:hcaster', 'role:caster', 'role:referee', 'role:pooler']
    const [admin, staff, hcaster, ...rest] = await Promise.all(roles.map((role) => roleHolder(api, cup, role)))
    const publishers = [organiser, admin, staff, hcaster] as Caller[]
    const insiders = [...publishers, ...rest]
    for (const who of publishers) {
      expect(codeOf(await api.patch(pathOf(overlay), who, { name: 'For some' }))).toBe('200 ')
      expect(codeOf(await api.get(`${pathOf(overlay)}/tokens`, who))).toBe('200 ')
    }
    for (const who of [...rest, editor]) {
      const calls = [
        api.patch(pathOf(overlay), who, { name: 'Mine' }),
        api.delete(pathOf(overlay), who),
        api.get(`${pathOf(overlay)}/tokens`, who),
        api.post(`${pathOf(overlay)}/tokens`, who, { label: 'Mine' }),
        api.post(`/tournaments/${cup.guid}/overlays`, who, { name: 'Mine too' }),
      ]
      for (const reply of await Promise.all(calls)) expect(codeOf(reply)).toBe('403 role.missing')
    }
    for (const who of [...insiders, editor]) {
      const { body } = await api.get(pathOf(overlay), who)
      expect(body).toMatchObject({ editors: [{ guid: editor.guid }], draft: { revision: 0 }, dirty: true })
      expect(codeOf(await api.get(`/overlays/${overlay.guid}`, who))).toBe('200 ')
    }
    for (const who of insiders) {
      const { body } = await api.get(`/tournaments/${cup.guid}/overlays`, who)
      expect(body.map(({ guid }: Reply['body']) => guid)).toContain(overlay.guid)
    }
    expect(codeOf(await api.get(`/tournaments/${cup.guid}/overlays`, editor))).toBe('403 role.missing')
    expect(codeOf(await api.get(`/tournaments/${cup.guid}/overlays`))).toBe('401 token.missing')
  })

  test('may not see it is told what is told of none', async () => {
    const overlay = await make({ name: 'Hidden' })
    const nothing = { guid: randomUUID() }
    const elsewhere = await makeTournament(api, organiser)
    for (const who of [null, stranger]) {
      const calls = (of: { guid: string }) => [
        api.get(pathOf(of), who),
        api.get(pathOf({ guid: of.guid.toUpperCase() }), who),
        api.get(`/overlays/${of.guid}`, who),
        api.get(`/overlays/@token`, who),
      ]
      for (const reply of await Promise.all([...calls(overlay), ...calls(nothing)])) {
        expect([codeOf(reply), reply.text]).toEqual(['404 overlay.unknown', 'There is no such overlay.'])
      }
    }
    const changes = [overlay, nothing].map((of) => api.patch(pathOf(of), stranger, { name: 'Y' }))
    for (const reply of await Promise.all(changes)) expect(codeOf(reply)).toBe('404 overlay.unknown')
    expect(codeOf(await api.get(pathOf(overlay, elsewhere), organiser))).toBe('404 overlay.unknown')
    expect(codeOf(await api.get(pathOf({ guid: 'main' }), organiser))).toBe('404 overlay.unknown')
  })
})

describe('a change', () => {
  test('names editors by any identifier, once each', async () => {
    const overlay = await make({ name: 'Edited' })
    await make({ name: 'Another one' })
    const [one, two] = await Promise.all([api.user(), api.user()])
    const named = { editors: [one.chatPlatformId, two.guid, one.guid] }
    const { body } = await api.patch(pathOf(overlay), organiser, named)
    const editors = (of: Reply['body']) => of.editors.map(({ guid }: Caller) => guid).toSorted()
    expect(editors(body)).toEqual([one.guid, two.guid].toSorted())
    expect(codeOf(await api.patch(pathOf(overlay), organiser, { editors: [two.guid, one.guid] }))).toBe('200 ')
    expect(codeOf(await api.patch(pathOf(overlay), organiser, { name: 'edited', access: 'public' }))).toBe('200 ')
    expect(codeOf(await api.patch(pathOf(overlay), organiser, { editors: [] }))).toBe('200 ')
    const both = [one.guid, two.guid].toSorted()
    const events = await eventsOf(overlay)
    expect(events.map(({ type }) => type).slice(1)).toEqual([
      ...['overlay.editors_changed', 'overlay.updated', 'overlay.editors_changed'],
    ])
    expect(events[1]).toMatchObject({ before: { editors: [] }, after: { editors: expect.arrayContaining(both) } })
    expect(events[2]).toMatchObject({
      before: { name: 'Edited', access: 'token' },
      after: { name: 'edited', access: 'public' },
    })

    const refusals: [object, string][] = [
      [{}, '400 overlay.nothing_to_change'],
      [{ editors: [one.guid, randomUUID()], name: 'Other' }, '404 user.unknown'],
      [{ editors: Array(41).fill(one.guid) }, '400 request.invalid'],
      [{ access: 'secret' }, '400 request.invalid'],
      [{ name: 'ANOTHER one' }, '409 overlay.name_taken'],
    ]
    for (const [change, code] of refusals) {
      expect(codeOf(await api.patch(pathOf(overlay), organiser, change))).toBe(code)
    }
    expect(await api.get(pathOf(overlay), organiser)).toMatchObject({ body: { name: 'edited', editors: [] } })
  })

  test('names no more than twenty editors', async () => {
    const overlay = await make({ name: 'Crowded' })
    const users = await Promise.all(Array.from({ length: 21 }, () => api.user()))
    const name = (some: readonly Caller[]) =>
      api.patch(pathOf(overlay), organiser, { editors: some.map(({ guid }) => guid) })
    expect(codeOf(await name(users))).toBe('400 overlay.too_many_editors')
    expect((await name(users.slice(1))).body.editors).toHaveLength(20)
  })

  test('opens it to everybody and closes it again, at every door', async () => {
    const overlay = await make({ name: 'Opened' })
    const topic = pathOf(overlay)
    expect(codeOf(await api.get(topic))).toBe('404 overlay.unknown')
    await api.patch(topic, organiser, { access: 'public' })
    const { body } = await remembered(api, topic)
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['editors']))
    expect([body.draft, body.dirty, body.access]).toEqual([undefined, undefined, 'public'])
    expect((await api.get(`/overlays/${overlay.guid}`)).body).toEqual({
      guid: overlay.guid,
      name: 'Opened',
      tournament: { guid: cup.guid, id: cup.id },
    })
    await using socket = await openSocket(api)
    const close = async () => {
      await api.patch(topic, organiser, { access: 'public' })
      const { body } = await api.get(topic)
      expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot', body })
      const stream = await openStream(api, [topic], { form: 'sse' })
      await stream.copies.until(({ all }) => all.has(topic), 'the overlay')
      await api.patch(topic, organiser, { access: 'token' })
      const at = performance.now()
      await stream.ended
      expect(stream.text()).toContain('"reason":"gone"')
      expect(codeOf(await api.get(topic))).toBe('404 overlay.unknown')
      await socket.copies.until(({ all }) => all.get(topic)?.ended === 'gone', 'the end')
      return performance.now() - at
    }
    expect(await timely(1_000, close)).toBeLessThan(1_000)
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ code: 'topic.unknown' })
    await expect(openStream(api, [topic])).rejects.toThrow('404 topic.unknown')
  })

  test('takes it from editors who are not named any more', async () => {
    const overlay = await make({ name: 'Handed over' })
    const topic = pathOf(overlay)
    const editor = await api.user()
    await api.patch(topic, organiser, { editors: [editor.guid] })
    await using socket = await openSocket(api, { as: editor })
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot', body: { dirty: true } })
    await api.patch(topic, organiser, { access: 'public', editors: [] })
    // The former editor now sees the public view.
    await socket.copies.until(
      ({ all }) => !JSON.stringify(all.get(topic)?.body).includes('"draft"'),
      'the outsiders’ view',
    )
    await api.patch(topic, organiser, { access: 'token' })
    await socket.copies.until(({ all }) => all.get(topic)?.ended === 'gone', 'the end')
  })

  test('deletes it for good', async () => {
    const overlay = await make({ name: 'Deleted' })
    expect(codeOf(await api.delete(pathOf(overlay), organiser))).toBe('204 ')
    expect(codeOf(await api.get(pathOf(overlay), organiser))).toBe('404 overlay.unknown')
    expect(codeOf(await api.delete(pathOf(overlay), organiser))).toBe('404 overlay.unknown')
    expect(await documentOf(overlay)).toBeUndefined()
    await make({ name: 'deleted' })
  })
})

test('whoever follows an overlay is told of changes, and of its draft while it is edited', async () => {
  const overlay = await make({ name: 'Followed' })
  const topic = pathOf(overlay)
  await using socket = await openSocket(api, { as: organiser })
  const body = (name: string) => socket.copies.of(name).body as Reply['body']
  await socket.ask({ type: 'subscribe', topic })
  await socket.ask({ type: 'subscribe', topic: `/tournaments/${cup.guid}/overlays` })
  await api.patch(topic, organiser, { name: 'Renamed' })
  await socket.copies.until(() => body(topic).name === 'Renamed', 'the name')
  await socket.copies.until(
    () => body(`/tournaments/${cup.guid}/overlays`).some(({ name }: Reply['body']) => name === 'Renamed'),
    'the list',
  )
  // Changes the draft without an event, as a batch of edits does.
  await api.sql('update overlay_drafts set revision = 3, updated_at = now() where overlay_guid = $1', [overlay.guid])
  await socket.copies.until(() => body(topic).draft.revision === 3, 'the draft')
})

test('what is kept of a user is told to them, and goes with their account', async () => {
  const user = await api.user()
  const overlay = await make({ name: 'Of somebody' })
  await api.patch(pathOf(overlay), organiser, { editors: [user.guid] })
  await api.post(`${pathOf(overlay)}/tokens`, organiser, { label: 'Theirs' })
  await api.sql('update overlay_tokens set created_by = $1 where overlay_guid = $2', [user.guid, overlay.guid])
  const exported = await api.get('/users/@me/export', user)
  const { overlaysEdited, overlayTokens } = exported.body.held
  expect([overlaysEdited.records, overlayTokens.records]).toMatchObject([
    [{ overlayGuid: overlay.guid, tournamentGuid: cup.guid, name: 'Of somebody' }],
    [{ overlayGuid: overlay.guid, label: 'Theirs', preview: false }],
  ])
  expect(exported.text).not.toMatch(/digest/i)
  const gone = await api.delete('/users/@me', user)
  expect(codeOf(gone), gone.text).toMatch(/^20/)
  const { body } = await api.get(pathOf(overlay), organiser)
  expect(body.editors).toEqual([])
  const [token] = (await api.get(`${pathOf(overlay)}/tokens`, organiser)).body
  expect(token).toMatchObject({ label: 'Theirs', createdBy: null })
})
