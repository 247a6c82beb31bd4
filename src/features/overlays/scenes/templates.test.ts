import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { documentWith, elementOf } from '../../../../test/scene-documents.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { builtInTemplates } from '../../../engine/scenes/templates/templates.ts'
import { createDraft } from '../sceneDocuments/commands/drafts.ts'
import { readDocument } from '../sceneDocuments/rules/documents.ts'

/** Templates: their owners, what they keep of an overlay, and how many there may be. (overlays: Operations) */

let api: Harness
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

async function makeOverlay(tournament = cup, document: SceneDocument = documentWith()): Promise<string> {
  const [row] = await api.sql<{ guid: string }>(
    'insert into overlays (tournament_guid, name) values ($1, $2) returning guid',
    [tournament.guid, randomUUID().slice(0, 12)],
  )
  const guid = row?.guid as string
  const { database } = api.app
  await database.transaction((tx) => createDraft(tx, guid, document, { by: organiser.guid, now: new Date() }))
  return guid
}

const media = randomUUID()
const showing: SceneDocument = {
  ...documentWith(),
  fonts: { given: { family: 'Given', media } },
  scenes: {
    scene0002: {
      name: 'Play',
      order: 'k',
      role: 'gameplay',
      elements: {
        picture01: elementOf({ type: 'image', props: { media, fit: 'cover' } }),
        video0001: elementOf({ type: 'video', props: { media } }),
        stream001: elementOf({ type: 'stream', props: { side: 1, fallback: media } }),
        title0001: elementOf({ props: { text: '  as it was ', font: 'Given' } }),
      },
    },
    scene0001: { name: 'Before', order: 'V', elements: {} },
  },
}
const make = (as: Caller | null, body: object) => api.post('/overlay-templates', as, body)
const own = async (as: Caller) =>
  (await api.get('/overlay-templates', as)).body.filter(({ origin }: { origin: string }) => origin === 'own')

test('built-in templates are for everybody, with the scenes that they have', async () => {
  const list = await api.get('/overlay-templates')
  expect(outcome(list)).toEqual([200, null])
  expect(list.body.map(({ key }: { key: string }) => key)).toEqual(builtInTemplates.map(({ key }) => key))
  for (const template of list.body) {
    expect(template).toMatchObject({ guid: null, previewUrl: null, origin: 'built_in' })
    expect(template.scenes).toContainEqual(expect.objectContaining({ role: 'gameplay' }))
    const { body } = await api.get(`/overlay-templates/${template.key}`)
    expect(body).toMatchObject(template)
    expect(body.document).toEqual(builtInTemplates.find(({ key }) => key === template.key)?.document)
  }
  for (const name of ['constructor', 'Duel', randomUUID(), 'x'.repeat(300)]) {
    const reply = await api.get(`/overlay-templates/${encodeURIComponent(name)}`, organiser)
    expect(outcome(reply)).toEqual([404, 'template.unknown'])
  }
})

test('a template keeps the draft as it was, without media, for its owner alone', async () => {
  const [ada, other] = await Promise.all([roleHolder(api, cup, 'role:hcaster'), api.user()])
  const overlay = await makeOverlay(cup, showing)
  const made = await make(ada, { name: ' Our  duel ', description: 'Plain.', overlay: overlay.toUpperCase() })
  expect(outcome(made)).toEqual([201, null])
  const { guid, document, ...rest } = made.body
  expect(rest).toEqual({
    key: null,
    name: 'Our duel',
    description: 'Plain.',
    previewUrl: null,
    origin: 'own',
    scenes: [
      { name: 'Before', role: null },
      { name: 'Play', role: 'gameplay' },
    ],
  })
  expect(JSON.stringify(document)).not.toContain(media)
  expect(readDocument(document)).toEqual({ ok: true, document })
  const { fonts: _, ...without } = showing
  const elements = showing.scenes.scene0002?.elements ?? {}
  expect(document).toEqual({
    ...without,
    scenes: {
      ...without.scenes,
      scene0002: {
        ...without.scenes.scene0002,
        elements: {
          ...elements,
          picture01: { ...elements.picture01, props: { fit: 'cover' } },
          video0001: { ...elements.video0001, props: {} },
          stream001: { ...elements.stream001, props: { side: 1 } },
        },
      },
    },
  })
  expect(await own(ada)).toEqual([{ guid, ...rest }])
  expect((await api.get(`/overlay-templates/${guid}`, ada)).body).toEqual(made.body)

  // For other users the template is unknown.
  expect(await own(other)).toEqual([])
  const unknown = [404, 'template.unknown']
  expect(outcome(await api.get(`/overlay-templates/${guid}`))).toEqual(unknown)
  expect(outcome(await api.get(`/overlay-templates/${guid}`, other))).toEqual(unknown)
  expect(outcome(await api.delete(`/overlay-templates/${guid}`, other))).toEqual(unknown)
  expect(outcome(await api.delete('/overlay-templates/duel', ada))).toEqual(unknown)

  // The template remains when the overlay is deleted.
  await api.sql('delete from overlays where guid = $1', [overlay])
  expect((await api.get(`/overlay-templates/${guid}`, ada)).body).toEqual(made.body)
  const { text } = await api.get('/users/@me/export', ada)
  const exported = text.includes(guid)
  expect(outcome(await api.delete(`/overlay-templates/${guid}`, ada))).toEqual([204, null])
  expect(outcome(await api.delete(`/overlay-templates/${guid}`, ada))).toEqual(unknown)
  expect(await own(ada)).toEqual([])
  expect(exported).toBe(true)
})

test('templates are made by those who may edit the overlay', async () => {
  const overlay = await makeOverlay()
  const [caster, outsider, named] = await Promise.all([roleHolder(api, cup, 'role:caster'), api.user(), api.user()])
  await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [overlay, named.guid])
  const body = { name: 'Ours', overlay }
  expect(outcome(await make(null, body))).toEqual([401, 'token.missing'])
  expect(outcome(await make(caster, body))).toEqual([403, 'template.overlay_forbidden'])
  expect(outcome(await make(outsider, body))).toEqual([404, 'overlay.unknown'])
  expect(outcome(await make(named, body))).toEqual([201, null])
  for (const overlay of [randomUUID(), 'no guid', "' or 1=1 --"])
    expect(outcome(await make(organiser, { ...body, overlay }))).toEqual([404, 'overlay.unknown'])
  // The overlay is hidden, because its tournament is.
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const hidden = await makeOverlay(draft)
  await api.sql(`update overlays set access = 'public' where guid = $1`, [hidden])
  expect(outcome(await make(outsider, { ...body, overlay: hidden }))).toEqual([404, 'overlay.unknown'])
  const readOnly = await api.token(organiser, ['rest:read'])
  const reply = await api.call('POST', '/overlay-templates', { token: readOnly, body })
  expect(outcome(reply)).toEqual([401, 'scope.missing'])
})

test('names are unique for each user without case, and there are 50 of them, whoever comes first', async () => {
  const ada = await roleHolder(api, cup, 'role:hcaster')
  const overlay = await makeOverlay()
  const named = (name: string) => make(ada, { name, overlay })
  const same = await Promise.all(['Finals', 'finals', 'FINALS'].map(named))
  expect(same.map(outcome).sort()).toEqual([
    [201, null],
    [409, 'template.name_taken'],
    [409, 'template.name_taken'],
  ])
  expect(outcome(await named('\u2800'))).toEqual([400, 'template.invalid'])
  expect(outcome(await named('x'.repeat(61)))).toEqual([400, 'request.invalid'])
  await api.sql(
    `insert into overlay_templates (user_guid, name, bytes, document)
     select $1, 'T' || n, 2, '{"scenes":{}}' from generate_series(1, 47) n`,
    [ada.guid],
  )
  const last = await Promise.all(['a', 'b', 'c', 'd'].map(named))
  expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  expect(last.filter(({ status }) => status === 409).map(outcome)[0]).toEqual([409, 'template.too_many'])
  expect(await own(ada)).toHaveLength(50)
  expect((await make(organiser, { name: 'Finals', overlay })).status).toBe(201)
})

test('overlays of a tournament stand beside them for those who may edit them', async () => {
  const here = await makeTournament(api, organiser)
  const [first, second] = [await makeOverlay(here, showing), await makeOverlay(here)]
  await api.sql(
    `insert into overlay_versions (overlay_guid, number, kind, bytes, digest, document) values ($1, 1, 'published', 2, '', $2)`,
    [first, JSON.stringify(showing)],
  )
  await api.sql('update overlay_drafts set published_version = 1 where overlay_guid = $1', [first])
  const [named, caster] = await Promise.all([api.user(), roleHolder(api, here, 'role:caster')])
  await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [second, named.guid])
  const seen = async (as: Caller | null) =>
    (await api.get(`/overlay-templates?tournament=${here.id}`, as)).body
      .filter(({ origin }: { origin: string }) => origin === 'tournament')
      .map(({ guid, scenes }: { guid: string; scenes: object[] }) => [guid, scenes])
  const scenes = [
    { name: 'Before', role: null },
    { name: 'Play', role: 'gameplay' },
  ]
  expect(await seen(organiser)).toEqual([
    [first, scenes],
    [second, []],
  ])
  expect(await seen(named)).toEqual([[second, []]])
  expect(await seen(caster)).toEqual([])
  expect(await seen(null)).toEqual([])
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const outcomes = [named, null].map((as) => api.get(`/overlay-templates?tournament=${draft.id}`, as))
  for (const reply of await Promise.all(outcomes)) expect(outcome(reply)).toEqual([404, 'tournament.unknown'])
})

test('they go with the account', async () => {
  const ada = await roleHolder(api, cup, 'role:hcaster')
  expect((await make(ada, { name: 'Mine', overlay: await makeOverlay() })).status).toBe(201)
  const gone = await api.delete('/users/@me', ada, { confirm: ada.username })
  expect(gone.status).toBeLessThan(300)
  expect(await api.sql('select from overlay_templates where user_guid = $1', [ada.guid])).toEqual([])
})
