import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { hold } from '../../../../test/locks.ts'
import { roleHolder } from '../../../../test/make.ts'
import { type MadeMedia, makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { type MadeOverlay, makeOverlayRow, publishRow, scenesOf } from '../../../../test/overlay-rows.ts'
import { plainTree } from '../../../../test/overlay-tree.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { timely } from '../../../../test/waiting.ts'
import { nobody } from '../../../../test/world.ts'
import { showAvailableScene } from './commands/publishing.ts'
import { dataTag } from './events.ts'

/** The control state of overlays, and what their pages receive of it. (OV12, OV13; overlays 10.7) */

let api: Harness
let second: Harness
let of: MadeBracket
let caster: Caller
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  caster = await roleHolder(api, of.cup, 'role:caster')
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const codeOf = (reply: Reply) => outcome(reply).join(' ')
const make = (options: { access?: 'token' | 'public'; editors?: readonly Caller[] } = {}) =>
  makeOverlayRow(api, of.cup, of.organiser, options)

async function change(overlay: MadeOverlay, body: object, as: Caller = caster): Promise<Reply['body']> {
  const reply = await api.patch(`${overlay.path}/control`, as, body)
  expect(codeOf(reply), reply.text).toBe('200 ')
  return reply.body
}

const read = async (overlay: MadeOverlay, as: Caller | null = null) =>
  (await api.get(`${overlay.path}/control`, as)).body
const refused = async (overlay: MadeOverlay, body: object, as: Caller | null = caster) =>
  codeOf(await api.patch(`${overlay.path}/control`, as, body))
const point = (overlay: MadeOverlay, body: object, as: Caller | null = caster) =>
  api.put(`${overlay.path}/match`, as, body)

const usual = {
  scene: null,
  matchGuid: null,
  swapSides: false,
  mapCard: 'auto',
  audio: { active: 0, muted: false, volume: 1 },
  casters: [],
  flavour: '',
  highlighted: [],
  countdownTo: null,
  blank: false,
  custom: {},
  autoAdvance: true,
  autoDelayMs: 4_000,
  revision: 0,
  updatedAt: expect.stringMatching(/Z$/),
}

describe('what an overlay shows', () => {
  test('is usual until something is set, and its first scene once it is published', async () => {
    const overlay = await make()
    expect(await read(overlay)).toEqual(usual)
    expect(await read(overlay, caster)).toEqual({ ...usual, updatedBy: null })
    expect(await refused(overlay, { scene: 'scene001' })).toBe('400 control.scene_unknown')
    await publishRow(api, overlay, scenesOf('scene002', 'scene001'))
    expect(await read(overlay)).toEqual({ ...usual, scene: 'scene002' })
    expect(await refused(overlay, { scene: 'scene009' })).toBe('400 control.scene_unknown')
    expect(await refused(overlay, { scene: 'constructor' })).toBe('400 control.scene_unknown')
    expect(await refused(overlay, { scene: null })).toBe('400 request.invalid')
    expect(await change(overlay, { scene: 'scene001' })).toMatchObject({ scene: 'scene001', revision: 1 })
    // The scene is shown already, so nothing changes and no event is emitted.
    expect(await change(overlay, { scene: 'scene001' })).toMatchObject({ scene: 'scene001', revision: 1 })
    expect(await read(overlay)).toMatchObject({ scene: 'scene001', revision: 1 })
  })

  test('is seen as the overlay is, and set by its controllers', async () => {
    const [editor, stranger, organiser] = [await api.user(), await api.user(), of.organiser]
    const hidden = await make({ access: 'token', editors: [editor] })
    const open = await make({ editors: [editor] })
    const controlling = ['staff', 'hcaster', 'hcoordinator', 'coordinator', 'caster', 'host', 'referee', 'admin']
    const others = ['hpooler', 'pooler']
    const holders = new Map<string, Caller>()
    for (const role of [...controlling, ...others]) holders.set(role, await roleHolder(api, of.cup, `role:${role}`))
    for (const [role, as] of [...holders, ['organiser', organiser] as const, ['editor', editor] as const]) {
      const may = !others.includes(role)
      for (const path of ['control', 'data', 'state']) {
        expect(codeOf(await api.get(`${hidden.path}/${path}`, as)), `${role} ${path}`).toBe('200 ')
      }
      expect(await refused(hidden, { flavour: role }, as), role).toBe(may ? '200 ' : '403 role.missing')
      expect(codeOf(await point(hidden, { matchGuid: null }, as)), role).toBe(may ? '200 ' : '403 role.missing')
    }
    for (const as of [null, stranger]) {
      for (const path of ['control', 'data', 'state']) {
        expect(codeOf(await api.get(`${hidden.path}/${path}`, as))).toBe('404 overlay.unknown')
        expect(codeOf(await api.get(`${open.path}/${path}`, as))).toBe('200 ')
      }
    }
    expect(await refused(open, { blank: true }, stranger)).toBe('403 role.missing')
    expect(await refused(hidden, { blank: true }, stranger)).toBe('404 overlay.unknown')
    expect(await refused(open, { blank: true }, null)).toBe('401 token.missing')
    expect(codeOf(await point(open, { matchGuid: null }, null))).toBe('401 token.missing')
    // Only staff and editors see who changed the state.
    const changed = await change(hidden, { flavour: 'by an editor' }, editor)
    expect(changed.updatedBy.guid).toBe(editor.guid)
    expect(await read(hidden, caster)).toEqual(changed)
    await change(open, { flavour: 'by an editor' }, editor)
    expect(await read(open, editor)).toMatchObject({ updatedBy: { guid: editor.guid } })
    expect(await read(open)).not.toHaveProperty('updatedBy')
    expect(await read(open, stranger)).not.toHaveProperty('updatedBy')
    // Cached answers end when the access changes or the overlay is deleted.
    await api.sql(`update overlays set access = 'token' where guid = $1`, [open.guid])
    await api.sql(`select emit_event('overlay.updated', $1, $2, null, null, null, $3)`, [
      ...[open.guid, of.cup.guid, [open.guid, of.cup.guid]],
    ])
    for (const path of ['control', 'data', 'state']) {
      expect(codeOf(await api.get(`${open.path}/${path}`))).toBe('404 overlay.unknown')
    }
    expect(codeOf(await api.get(`/tournaments/${of.cup.guid}/overlays/${nobody}/control`, caster))).toBe(
      '404 overlay.unknown',
    )
  })

  test('is set member by member, and told of to staff with what it was', async () => {
    const overlay = await make()
    const [one, two] = [await of.readMatch(1), await of.readMatch(2)]
    const first = await change(overlay, {
      swapSides: true,
      mapCard: 'shown',
      audio: { active: 2, volume: 0.25 },
      flavour: ' Finals\n\n day ',
      highlighted: [two.guid.toUpperCase(), '1', two.guid],
      countdownTo: '2027-05-01T20:00:00+02:00',
      blank: true,
      custom: { sponsor: 'Example', level: 3.5, isLive: true },
      autoAdvance: false,
      autoDelayMs: 0,
    })
    expect(first).toEqual({
      ...usual,
      swapSides: true,
      mapCard: 'shown',
      audio: { active: 2, muted: false, volume: 0.25 },
      flavour: 'Finals day',
      highlighted: [two.guid, one.guid],
      countdownTo: '2027-05-01T18:00:00.000Z',
      blank: true,
      custom: { sponsor: 'Example', level: 3.5, isLive: true },
      autoAdvance: false,
      autoDelayMs: 0,
      revision: 1,
      updatedBy: expect.objectContaining({ guid: caster.guid }),
    })
    expect(await read(overlay, caster)).toEqual(first)
    const after = await change(overlay, {
      audio: { muted: true },
      custom: { other: 'x' },
      countdownTo: null,
      flavour: '',
      revision: 1,
    })
    expect(after).toMatchObject({
      audio: { active: 2, muted: true, volume: 0.25 },
      custom: { other: 'x' },
      countdownTo: null,
      flavour: '',
      swapSides: true,
      revision: 2,
    })
    expect(after.custom).toEqual({ other: 'x' })
    const events = await api.sql(
      `select actor, tournament, before, after, touches from event_log where subject = $1 and type = 'overlay.control_changed' order by seq`,
      [overlay.guid],
    )
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({ actor: caster.guid, tournament: of.cup.guid, before: { swapSides: false } })
    expect(events[0]?.touches).toContain(dataTag(overlay.guid))
    expect(events[1]).toMatchObject({
      before: { audio: { muted: false }, custom: { sponsor: 'Example' }, countdownTo: '2027-05-01T18:00:00.000Z' },
      after: { audio: { muted: true }, custom: { other: 'x' }, countdownTo: null, flavour: '' },
    })
    expect(Object.keys(events[1]?.after as object).sort()).toEqual(['audio', 'countdownTo', 'custom', 'flavour'])
    expect(events[1]?.touches).not.toContain(dataTag(overlay.guid))
  })

  test('is set to nothing that it cannot show', async () => {
    const overlay = await make()
    const cases: [body: object, outcome: string][] = [
      [{}, '400 control.nothing_to_change'],
      [{ revision: 0 }, '400 control.nothing_to_change'],
      [{ matchGuid: nobody }, '400 control.nothing_to_change'],
      [{ overlayGuid: nobody, updatedBy: nobody, sceneSeq: 1 }, '400 control.nothing_to_change'],
      [{ mapCard: 'never' }, '400 request.invalid'],
      [{ audio: { active: 3 } }, '400 request.invalid'],
      [{ audio: { volume: 1.1 } }, '400 request.invalid'],
      [{ flavour: 'x'.repeat(201) }, '400 request.invalid'],
      [{ highlighted: Array.from({ length: 9 }, () => '1') }, '400 request.invalid'],
      [{ highlighted: [nobody] }, '404 match.unknown'],
      [{ highlighted: ['99'] }, '404 match.unknown'],
      [{ countdownTo: 'tomorrow' }, '400 request.invalid'],
      [{ countdownTo: '2027-05-01' }, '400 request.invalid'],
      [{ custom: { Wrong: 1 } }, '400 control.custom_invalid'],
      [{ custom: { deep: { a: 1 } } }, '400 request.invalid'],
      [{ custom: { long: 'x'.repeat(201) } }, '400 request.invalid'],
      [
        { custom: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`a${index}`, 1])) },
        '400 request.invalid',
      ],
      [{ autoDelayMs: 30_001 }, '400 request.invalid'],
      [{ casters: Array.from({ length: 4 }, () => ({ name: 'A' })) }, '400 request.invalid'],
      [{ casters: [{ name: '' }] }, '400 request.invalid'],
      [{ casters: [{ name: 'x'.repeat(61) }] }, '400 request.invalid'],
      [{ casters: [{ name: 'A', userGuid: nobody }] }, '404 user.unknown'],
      [{ casters: [{ name: 'A', userGuid: 'somebody' }] }, '404 user.unknown'],
      [{ casters: [{ name: 'A', imageUrl: 'https://elsewhere.example.org/a.png' }] }, '400 control.image_invalid'],
      [{ casters: [{ name: 'A', imageUrl: 'javascript:alert(1)' }] }, '400 control.image_invalid'],
    ]
    for (const [body, code] of cases) expect(await refused(overlay, body), JSON.stringify(body).slice(0, 80)).toBe(code)
    expect(await read(overlay)).toEqual(usual)
    // Unknown members are ignored at every level.
    const other = await make()
    const strange = { overlayGuid: other.guid, matchGuid: nobody, updatedAt: null, pointedSeq: 9 }
    const body = { ...strange, flavour: 'Known', audio: { muted: true, loud: true }, casters: [{ name: 'A', is: 'B' }] }
    const caster1 = { name: 'A', pronouns: '', imageUrl: null, handle: '', userGuid: null }
    expect(await change(overlay, body)).toEqual({
      ...usual,
      flavour: 'Known',
      audio: { active: 0, muted: true, volume: 1 },
      casters: [caster1],
      revision: 1,
      updatedBy: expect.any(Object),
    })
    expect(await read(other)).toEqual(usual)
    const [row] = await api.sql('select pointed_seq, casters from overlay_controls where overlay_guid = $1', [
      overlay.guid,
    ])
    expect(row).toEqual({ pointed_seq: '0', casters: [caster1] })
  })

  test('names casters with pictures of the tournament or of the users, which are in use then', async () => {
    const overlay = await make()
    const speaker = await api.user()
    const [row] = await api.sql<{ avatar_url: string }>('select avatar_url from users where guid = $1', [speaker.guid])
    const avatar = row?.avatar_url as string
    const [own, foreign, font] = [
      await makeMedia(api, 'overlay_image', { tournament: of.cup, owner: of.organiser }),
      await makeMedia(api, 'overlay_image', { owner: speaker }),
      await makeMedia(api, 'overlay_font', { tournament: of.cup }),
    ]
    const casters = [
      { name: 'One', imageUrl: own.url, userGuid: null },
      { name: 'Two', pronouns: 'they/them', handle: '@two', imageUrl: avatar, userGuid: speaker.chatPlatformId },
      { name: 'Three' },
    ]
    const shown = [
      { name: 'One', pronouns: '', imageUrl: own.url, handle: '', userGuid: null },
      { name: 'Two', pronouns: 'they/them', imageUrl: avatar, handle: '@two', userGuid: speaker.guid },
      { name: 'Three', pronouns: '', imageUrl: null, handle: '', userGuid: null },
    ]
    expect((await change(overlay, { casters })).casters).toEqual(shown)
    expect((await read(overlay)).casters).toEqual(shown)
    expect(await usesOf(api, own)).toEqual({ uses: ['overlay.casters'], state: 'used' })
    const withImage = (imageUrl: string, userGuid: string | null = null) => ({
      casters: [{ name: 'A', imageUrl, userGuid }],
    })
    expect(await refused(overlay, withImage(foreign.url))).toBe('400 media.reference_invalid')
    expect(await refused(overlay, withImage(font.url))).toBe('400 media.reference_invalid')
    expect(await refused(overlay, withImage(`${api.app.config.media.url}/media/${nobody}/full.webp`))).toBe(
      '400 media.reference_invalid',
    )
    expect(await refused(overlay, withImage(`${api.app.config.media.url}/elsewhere`))).toBe(
      '400 media.reference_invalid',
    )
    // A user may not use the picture of another user.
    expect(await refused(overlay, withImage(avatar, of.organiser.guid))).toBe('400 control.image_invalid')
    expect((await read(overlay)).casters).toEqual(shown)
    // The organiser, who manages media, removes the picture.
    expect(codeOf(await api.delete(`/media/${own.guid}?detach=true`, of.organiser))).toMatch(/^20[04] $/)
    expect((await read(overlay)).casters[0]).toEqual({ ...shown[0], imageUrl: null })
    expect((await read(overlay)).revision).toBe(2)
    // A user who closes the account is removed from the casters.
    const exported = await api.call('GET', '/users/@me/export', { token: await api.token(speaker, ['rest:user:read']) })
    expect(exported.body.held?.overlayControls.records, exported.text).toEqual([
      expect.objectContaining({ overlayGuid: overlay.guid, hasChangedLast: false, casters: [shown[1]] }),
    ])
    const token = await api.token(speaker, ['rest:user:write'])
    expect(codeOf(await api.call('DELETE', '/users/@me', { token }))).toBe('204 ')
    expect((await read(overlay)).casters.map(({ name }: { name: string }) => name)).toEqual(['One', 'Three'])
  })
})

describe('a caster whose picture is deleted meanwhile', () => {
  /** Creates a user whose picture is a medium of their own. */
  async function pictured(): Promise<{ speaker: Caller; avatar: MadeMedia }> {
    const speaker = await api.user()
    const avatar = await makeMedia(api, 'avatar', { owner: speaker })
    const set = await api.call('POST', '/updateUserSettings', { as: speaker, body: { avatarUrl: avatar.url } })
    expect(codeOf(set), set.text).toBe('200 ')
    return { speaker, avatar }
  }
  const shownWith = ({ guid }: Caller, imageUrl: string | null) => ({
    casters: [{ name: 'A', imageUrl, userGuid: guid }],
  })

  test('is not shown with it, whether they cast already or not', async () => {
    for (const [table, isCaster] of [
      ['users', false],
      ['media', true],
    ] as const) {
      const { speaker, avatar } = await pictured()
      const overlay = await make()
      if (isCaster) await change(overlay, shownWith(speaker, null))
      const row = table === 'users' ? speaker.guid : avatar.guid
      const { waiting, release } = await hold(api, [`select from ${table} where guid = $1 for update`, row])
      const deleting = api.delete(`/media/${avatar.guid}?detach=true`, speaker)
      await waiting(1)
      const naming = api.patch(`${overlay.path}/control`, caster, shownWith(speaker, avatar.url))
      await waiting(2)
      await release()
      expect([codeOf(await deleting), codeOf(await naming)], table).toEqual(['204 ', '400 media.reference_invalid'])
      expect((await read(overlay)).casters).toHaveLength(isCaster ? 1 : 0)
    }
  })

  test('loses it where the naming was first: it is theirs to take back', async () => {
    const { speaker, avatar } = await pictured()
    const overlay = await make()
    await change(overlay, shownWith(speaker, avatar.url))
    expect(await usesOf(api, avatar)).toEqual({ uses: ['overlay.casters', 'user.avatarUrl'], state: 'used' })
    expect(codeOf(await api.delete(`/media/${avatar.guid}?detach=true`, speaker))).toBe('204 ')
    expect((await read(overlay)).casters).toMatchObject([{ name: 'A', imageUrl: null }])
    expect(await refused(overlay, shownWith(speaker, avatar.url))).toBe('400 media.reference_invalid')
  })
})

describe('a match that is pointed at', () => {
  test('is one of the tournament, and begins with its sides as they are', async () => {
    const overlay = await make()
    const match = await of.readMatch(1)
    await publishRow(api, overlay, scenesOf('scene001', 'scene002'))
    const before = await change(overlay, {
      swapSides: true,
      mapCard: 'hidden',
      highlighted: ['2'],
      scene: 'scene002',
      flavour: 'Kept',
      casters: [{ name: 'Kept' }],
      audio: { active: 1 },
      custom: { kept: true },
    })
    const reply = await point(overlay, { matchGuid: '1', division: 'main', revision: 1 })
    expect(codeOf(reply), reply.text).toBe('200 ')
    expect(reply.body).toEqual({
      ...before,
      matchGuid: match.guid,
      swapSides: false,
      mapCard: 'auto',
      highlighted: [],
      revision: 2,
      updatedAt: expect.any(String),
    })
    expect((await api.get(`${overlay.path}/data`)).body.match.guid).toBe(match.guid)
    // The same pointing again changes nothing; with members to reset it is a change.
    expect((await point(overlay, { matchGuid: match.guid.toUpperCase() })).body.revision).toBe(2)
    await change(overlay, { swapSides: true })
    expect((await point(overlay, { matchGuid: match.guid })).body).toMatchObject({ revision: 4, swapSides: false })
    const events = await api.sql(
      `select before, after, touches from event_log where subject = $1 and type = 'overlay.pointed' order by seq`,
      [overlay.guid],
    )
    expect(events.map(({ before: was, after }) => [was, after])).toEqual([
      [{ match: null }, { match: match.guid }],
      [{ match: match.guid }, { match: match.guid }],
    ])
    expect(events[0]?.touches).toContain(dataTag(overlay.guid))
    const [row] = await api.sql<{ seq: string; newest: string }>(
      `select pointed_seq as seq, (select max(seq) from event_log) as newest from overlay_controls where overlay_guid = $1`,
      [overlay.guid],
    )
    expect(Number(row?.seq)).toBeGreaterThan(0)
    expect(Number(row?.seq)).toBeLessThan(Number(row?.newest))

    const foreign = await (await makeBracket(api, { teams: 2, format: 'single_elimination' })).readMatch(1)
    for (const matchGuid of [foreign.guid, nobody, '99', 'first']) {
      expect(codeOf(await point(overlay, { matchGuid })), matchGuid).toBe('404 match.unknown')
    }
    expect(codeOf(await point(overlay, { matchGuid: '1', division: 'other' }))).toBe('404 match.unknown')
    expect(codeOf(await point(overlay, {}))).toBe('400 request.invalid')
    const stale = await point(overlay, { matchGuid: null, revision: 3 })
    expect([codeOf(stale), stale.body.present]).toEqual(['409 overlay.stale', await read(overlay, caster)])
    expect((await point(overlay, { matchGuid: null })).body.matchGuid).toBeNull()
    expect((await api.get(`${overlay.path}/data`)).body.match).toBeNull()
  })

  test('leaves none behind when it is deleted', async () => {
    const own = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const overlay = await makeOverlayRow(api, own.cup, own.organiser)
    const [one, two] = [await own.readMatch(1), await own.readMatch(2)]
    expect(codeOf(await point(overlay, { matchGuid: '1' }, own.organiser))).toBe('200 ')
    await change(overlay, { highlighted: [two.guid] }, own.organiser)
    await using page = await openSocket(second)
    for (const name of ['control', 'data']) await page.ask({ type: 'subscribe', topic: `${overlay.path}/${name}` })
    const held = (name: string) => page.copies.of(`${overlay.path}/${name}`).body as Reply['body']
    expect([held('control').matchGuid, held('data').match.guid]).toEqual([one.guid, one.guid])
    const { revision } = await own.read()
    const gone = await api.delete(`${own.path}/brackets/${own.bracket.guid}?revision=${revision}`, own.organiser)
    expect(codeOf(gone), gone.text).toMatch(/^20[04] $/)
    await page.copies.until(() => held('control').matchGuid === null && held('data').match === null, 'no match')
    expect(await read(overlay)).toMatchObject({ matchGuid: null, highlighted: [], revision: 2 })
  })
})

describe('changes at once', () => {
  test('of different members lose none, of one member the last by the log is shown; of conditional ones one is made', async () => {
    const [many, one, conditional, flooded] = [await make(), await make(), await make(), await make()]
    const processes = [api, second]
    const sendAll = (overlay: MadeOverlay, count: number, bodyOf: (index: number) => object) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          (processes[index % 2] as Harness).patch(`${overlay.path}/control`, caster, bodyOf(index)),
        ),
      )
    const members = [
      { swapSides: true },
      { mapCard: 'shown' },
      { audio: { active: 1 } },
      { audio: { muted: true } },
      { audio: { volume: 0.5 } },
      { flavour: 'Flavour' },
      { casters: [{ name: 'Caster' }] },
      { highlighted: ['1'] },
      { countdownTo: '2027-05-01T18:00:00.000Z' },
      { blank: true },
      { custom: { a: 1 } },
      { autoAdvance: false },
      { autoDelayMs: 1_000 },
    ]
    const began = performance.now()
    const [different, same, only, rest] = await Promise.all([
      sendAll(many, 50, (index) => members[index % members.length] as object).then((replies) => ({
        replies,
        ms: performance.now() - began,
      })),
      sendAll(one, 50, (index) => ({ flavour: `Flavour ${index}` })),
      sendAll(conditional, 10, (index) => ({ flavour: `Flavour ${index}`, revision: 0 })),
      sendAll(flooded, 90, (index) => ({ flavour: `Flavour ${index}` })),
    ])
    expect(different.replies.map(codeOf)).toEqual(Array.from({ length: 50 }, () => '200 '))
    for (const service of processes) {
      const { body } = await service.get(`${many.path}/control`)
      expect(body).toMatchObject({
        swapSides: true,
        mapCard: 'shown',
        audio: { active: 1, muted: true, volume: 0.5 },
        flavour: 'Flavour',
        casters: [{ name: 'Caster' }],
        highlighted: [(await of.readMatch(1)).guid],
        blank: true,
        countdownTo: '2027-05-01T18:00:00.000Z',
        custom: { a: 1 },
        autoAdvance: false,
        autoDelayMs: 1_000,
        revision: members.length,
      })
    }
    // At ten writes a second, fifty writes take four seconds.
    expect(different.ms).toBeGreaterThan(3_900)
    expect(same.map(codeOf)).toEqual(Array.from({ length: 50 }, () => '200 '))
    const [last] = await api.sql<{ flavour: string }>(
      `select after ->> 'flavour' as flavour from event_log where subject = $1 order by seq desc limit 1`,
      [one.guid],
    )
    for (const service of processes) {
      expect((await service.get(`${one.path}/control`)).body).toMatchObject({ flavour: last?.flavour, revision: 50 })
    }
    expect(only.map(codeOf).sort()).toEqual(['200 ', ...Array.from({ length: 9 }, () => '409 overlay.stale')])
    const present = only.find(({ status }) => status === 200)?.body
    expect(only.find(({ status }) => status === 409)?.body.present).toEqual(present)
    // Sixty writes get a turn within five seconds; all others are refused immediately.
    const codes = rest.map(codeOf)
    const made = codes.filter((code) => code === '200 ').length
    expect(made).toBeGreaterThanOrEqual(60)
    expect(codes.filter((code) => code === '429 control.limit')).toHaveLength(90 - made)
    expect(rest.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('5')
  })

  test('publishing shows a scene that there is', async () => {
    const overlay = await make()
    const tell = (...ids: string[]) =>
      api.app.database.transaction((tx) =>
        showAvailableScene(tx, { guid: overlay.guid, tournamentGuid: of.cup.guid }, scenesOf(...ids), {
          by: of.organiser.guid,
          now: new Date(),
        }),
      )
    await tell('scene002', 'scene001')
    await publishRow(api, overlay, scenesOf('scene002', 'scene001'))
    expect(await read(overlay)).toMatchObject({ scene: 'scene002', revision: 1 })
    await change(overlay, { scene: 'scene001' })
    await tell('scene003', 'scene001')
    await publishRow(api, overlay, scenesOf('scene003', 'scene001'))
    expect(await read(overlay)).toMatchObject({ scene: 'scene001', revision: 2 })
    await api.sql(`update overlay_controls set advance_to = 'scene001', advance_at = now() where overlay_guid = $1`, [
      overlay.guid,
    ])
    await tell('scene004', 'scene003')
    await publishRow(api, overlay, scenesOf('scene004', 'scene003'))
    expect(await read(overlay)).toMatchObject({ scene: 'scene004', revision: 3 })
    const rows = await api.sql('select advance_to from overlay_controls where overlay_guid = $1', [overlay.guid])
    expect(rows).toEqual([{ advance_to: null }])
  })

  test('a scene that is chosen by hand ends what was to come', async () => {
    const overlay = await make()
    await publishRow(api, overlay, scenesOf('scene001', 'scene002'))
    await change(overlay, { scene: 'scene001' })
    const sceneSeq = async () => {
      const [row] = await api.sql<{ seq: string; to: string | null }>(
        'select scene_seq as seq, advance_to as to from overlay_controls where overlay_guid = $1',
        [overlay.guid],
      )
      return { seq: Number(row?.seq), to: row?.to ?? null }
    }
    const before = await sceneSeq()
    const wait = () =>
      api.sql(
        `update overlay_controls set advance_to = 'scene002', advance_at = now() + interval '1 hour'
         where overlay_guid = $1`,
        [overlay.guid],
      )
    await wait()
    await change(overlay, { flavour: 'Something else' })
    expect((await sceneSeq()).to).toBe('scene002')
    await change(overlay, { scene: 'scene001' })
    const after = await sceneSeq()
    expect(after.to).toBeNull()
    expect(after.seq).toBeGreaterThan(before.seq)
    await wait()
    await point(overlay, { matchGuid: '1' })
    expect((await sceneSeq()).to).toBeNull()
  })
})

describe('what pages are told', () => {
  test('comes within a second, over sockets, once for each key; texts do not have the data read anew', async () => {
    const overlay = await make()
    const names = ['control', 'data', 'state'].map((name) => `${overlay.path}/${name}`)
    const [control = '', data = '', state = ''] = names
    await using page = await openSocket(second)
    for (const topic of names) await page.ask({ type: 'subscribe', topic, facts: true })
    const held = (topic: string) => page.copies.of(`${topic}?facts=1`)
    const bodyOf = (topic: string) => held(topic).body as Reply['body']
    expect(bodyOf(control)).toEqual(await read(overlay))
    expect(bodyOf(data)).toEqual((await api.get(data)).body)
    const whole = (await api.get(state)).body
    expect(whole.serverTime).toMatch(/Z$/)
    const { live: _, serverTime: __, ...still } = whole
    expect(bodyOf(state)).toEqual(still)
    await using hand = await openSocket(api, { as: caster })
    const params = { tournament: of.cup.id, overlay: overlay.guid }
    const key = randomUUID()
    const sent = { type: 'command', name: 'overlays.control', params, body: { flavour: 'Told' }, key }
    const result = await hand.ask(sent)
    expect(result).toMatchObject({ type: 'result', status: 200, revision: 1, replayed: false })
    await page.copies.until(() => bodyOf(control).flavour === 'Told' && bodyOf(state).control.flavour === 'Told', 'it')
    expect(await hand.ask(sent)).toMatchObject({ status: 200, revision: 1, replayed: true })
    const { position } = held(data)
    const match = await of.readMatch(2)
    const pointed = await hand.ask({
      type: 'command',
      name: 'overlays.point',
      params,
      body: { matchGuid: '2' },
      key: randomUUID(),
    })
    expect(pointed).toMatchObject({ status: 200, revision: 2 })
    await page.copies.until(() => bodyOf(data).match?.guid === match.guid, 'the match')
    await page.copies.until(() => bodyOf(state).data.match?.guid === match.guid, 'the match')
    expect(held(data).position).not.toBe(position)
    const ofData = page.copies.packets.filter(({ topic }) => topic === `${data}?facts=1`)
    expect(ofData).toHaveLength(2)
    expect(held(control).facts.map(({ type, changed, by }) => [type, changed, by])).toEqual([
      ['overlay.control_changed', ['flavour'], undefined],
      ['overlay.pointed', ['match'], undefined],
    ])
    await change(overlay, { swapSides: true })
    await page.copies.until(() => bodyOf(data).sides[0].number === 2, 'the other side first')
    // Staff see who changed the state.
    await using inside = await openSocket(api, { as: caster })
    await inside.ask({ type: 'subscribe', topic: control, facts: true })
    await change(overlay, { blank: true })
    await inside.copies.until(() => inside.copies.of(`${control}?facts=1`).facts.length > 0, 'the fact')
    expect(inside.copies.of(`${control}?facts=1`).facts[0]).toMatchObject({ by: caster.guid, after: { blank: true } })
    const refusal = await hand.ask({ ...sent, body: { scene: 'scene009' }, key: randomUUID() })
    expect(refusal).toMatchObject({ type: 'error', status: 400, code: 'control.scene_unknown' })
    const tell = async () => {
      const flavour = randomUUID()
      const began = performance.now()
      await hand.ask({ ...sent, body: { flavour }, key: flavour })
      await page.copies.until(
        () => bodyOf(control).flavour === flavour && bodyOf(state).control.flavour === flavour,
        'it',
      )
      return performance.now() - began
    }
    expect(await timely(1_000, tell)).toBeLessThan(1_000)
  })

  test('ends when the overlay is theirs to see no more', async () => {
    await using page = await openSocket(second)
    const ends = async (statement: string, type: string) => {
      const overlay = await make()
      const names = ['control', 'data', 'state'].map((name) => `${overlay.path}/${name}`)
      for (const topic of names) await page.ask({ type: 'subscribe', topic })
      await api.sql(statement, [overlay.guid])
      const { guid } = overlay
      await api.sql('select emit_event($1, $2, $3, null, null, null, $4, true)', [
        ...[type, guid, of.cup.guid, [guid, of.cup.guid]],
      ])
      const began = performance.now()
      await page.copies.until((copies) => names.every((name) => copies.of(name).ended !== null), 'the ends')
      const took = performance.now() - began
      expect(names.map((name) => page.copies.of(name).ended)).toEqual(names.map(() => 'gone'))
      if (type === 'overlay.deleted') expect(await refused(overlay, { blank: true })).toBe('404 overlay.unknown')
      return took
    }
    const close = () => ends(`update overlays set access = 'token' where guid = $1`, 'overlay.updated')
    const remove = () => ends('delete from overlays where guid = $1', 'overlay.deleted')
    for (const attempt of [close, remove]) expect(await timely(1_000, attempt)).toBeLessThan(1_000)
  })

  describe('of a match that is played', () => {
    let made: MadeFlowPlay
    let overlay: MadeOverlay
    let play: FlowPlay
    beforeAll(async () => {
      made = await makeFlowPlay(api, { teams: 2, bestOf: 3 })
      overlay = await makeOverlayRow(api, made.cup, made.organiser)
      play = new FlowPlay(api, made)
      const begun = await play.begin({ flowGuid: 'accsaber-bo3', poolGuid: made.pool.guid, viewDelaySeconds: 900 })
      expect(begun.status, begun.text).toBe(201)
      expect(codeOf(await point(overlay, { matchGuid: '1' }, made.organiser))).toBe('200 ')
    })

    test('is public, at once for those who make the stream, and as late as for everybody for everybody else', async () => {
      const { guid } = await made.readMatch(1)
      const [editor, stranger] = [await api.user(), await api.user()]
      await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [
        overlay.guid,
        editor.guid,
      ])
      const outside = await plainTree(api, made.path, { matchGuid: guid })
      const inside = await plainTree(api, made.path, {
        matchGuid: guid,
        sessionsAs: await roleHolder(api, made.cup, 'role:caster'),
      })
      expect(inside.flow).not.toEqual(outside.flow)
      const pooler = await roleHolder(api, made.cup, 'role:pooler')
      for (const as of [null, stranger]) {
        const reply = await api.get(`${overlay.path}/data`, as)
        expect(reply.body).toEqual(outside)
        expect((await api.get(`${overlay.path}/state`, as)).body.data).toEqual(outside)
      }
      for (const as of [made.organiser, made.referee, pooler, editor]) {
        expect((await api.get(`${overlay.path}/data`, as)).body).toEqual(inside)
        expect((await api.get(`${overlay.path}/state`, as)).body.data).toEqual(inside)
      }
      // With `delayed`, staff and editors, too, get the data with the delay.
      const late = await api.get(`${overlay.path}/data?delayed=true`, made.organiser)
      expect([codeOf(late), late.headers.get('delayed'), late.body]).toEqual(['200 ', '0', outside])
    })

    test('comes with the scores that are told, on whichever process', async () => {
      const { guid } = await made.readMatch(1)
      const topic = `/tournaments/${made.cup.guid}/matches/${guid}/live`
      expect((await second.get(`${overlay.path}/state`)).body.live).toEqual({})
      await using writer = await openSocket(api, { as: await roleHolder(api, made.cup, 'role:coordinator') })
      const key = `player:${made.captains[0]?.guid}`
      let seq = 0
      const score = async (value: number) => {
        writer.send({ type: 'publish', topic, key, value: { score: value }, seq: ++seq })
        await writer.ask({ type: 'ping' })
      }
      await score(10)
      for (const service of [api, second]) {
        await vi.waitUntil(async () => (await service.get(`${overlay.path}/state`)).body.live[key]?.score === 10, {
          timeout: 10_000,
          interval: 20,
        })
      }
      // The first read on a process waits for the values of the other processes.
      await using third = await api.sibling()
      expect((await third.get(`${overlay.path}/state`)).body.live).toMatchObject({
        [key]: { score: 10, source: 'manual' },
      })
      await score(20)
      await vi.waitUntil(async () => (await third.get(`${overlay.path}/state`)).body.live[key]?.score === 20, {
        timeout: 10_000,
        interval: 20,
      })
      await api.patch(made.path, made.organiser, { liveScores: 'staff' })
      expect((await api.get(`${overlay.path}/state`)).body.live).toEqual({})
      expect((await api.get(`${overlay.path}/state`, made.organiser)).body.live).toMatchObject({ [key]: { score: 20 } })
    })
  })
})
