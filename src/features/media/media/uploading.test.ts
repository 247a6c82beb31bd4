import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import {
  grantRole,
  type MadeTournament,
  makePlatform,
  makeTeam,
  makeTournament,
  roleHolder,
} from '../../../../test/make.ts'
import { digestOf, formOf, picture, upload } from '../../../../test/media.ts'
import { woff2 } from '../../../../test/media-files.ts'
import { makeOverlayRow } from '../../../../test/overlay-rows.ts'
import { Decoder } from '../../../infra/decoder/decoder.ts'

/** Uploads, from the uploader's view. (M1 to M5) */

let api: Harness
let ada: Caller
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  ;[ada, organiser] = await Promise.all([api.user(), api.user()])
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

test('a picture is answered as it was written anew, and kept under its digest', async () => {
  const sent = await picture({ color: '#ff8800', format: 'jpeg' })
  const reply = await upload(api, ada, sent, { kind: 'avatar', name: ' My  face ' })
  expect(outcome(reply)).toEqual([201, null])
  const { guid, url, digest, ...rest } = reply.body
  expect(rest).toMatchObject({
    kind: 'avatar',
    name: 'My face',
    type: 'image/webp',
    width: 96,
    height: 96,
    animated: false,
    durationMs: null,
    tournament: null,
    platform: null,
    usages: 0,
    owner: { guid: ada.guid },
    variants: [{ width: 64, url: `${api.url}/media/${guid}/64.webp` }],
  })
  expect(url).toBe(`${api.url}/media/${guid}/full.webp`)
  const delivered = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect([delivered.length, digestOf(delivered)]).toEqual([rest.bytes, digest])
  expect(await sharp(delivered).metadata()).toMatchObject({ format: 'webp', width: 96, height: 96 })
})

test('the same upload for the same is the record that there is', async () => {
  const sent = await picture()
  const first = await upload(api, ada, sent)
  const again = await upload(api, ada, sent)
  const other = await upload(api, ada, sent, { kind: 'app_image' })
  const others = await upload(api, organiser, sent)
  expect([first, again, other, others].map(({ status }) => status)).toEqual([201, 200, 201, 201])
  expect(again.body).toEqual(first.body)
  expect(new Set([first, other, others].map(({ body }) => body.guid)).size).toBe(3)
  expect(new Set([first, other, others].map(({ body }) => body.digest)).size).toBe(1)
  const together = await picture()
  const replies = await Promise.all(Array.from({ length: 6 }, () => upload(api, ada, together)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
  expect(new Set(replies.map(({ body }) => body.guid)).size).toBe(1)
})

test('a name is that of the file, without its folders and what is not seen', async () => {
  const named = async (fileName: string) => {
    const form = formOf(await picture(), { kind: 'avatar' }, { fileName })
    return (await api.call('POST', '/media', { as: ada, ...form })).body.name
  }
  expect(await named('C:\\\\pictures\\\\me.png')).toBe('me.png')
  expect(await named('../../etc/passwd')).toBe('passwd')
  expect(await named(`${'x'.repeat(300)}.png`)).toBe('x'.repeat(120))
  expect(await named('a\u202e\u0000b.png')).toBe('a b.png')
  expect(await named('\u3164\u2800')).toBe('avatar')
})

test('parts may stand before the file, behind it, or in the query, and each once', async () => {
  const wide = { kind: 'tournament_image', tournament: cup.id }
  const send = async (parts: Record<string, string>, query: Record<string, string>, fileFirst: boolean) => {
    const form = formOf(await picture({ width: 200, height: 200 }), parts, { fileFirst })
    return api.call('POST', `/media?${new URLSearchParams(query)}`, { as: organiser, ...form })
  }
  const replies = [
    await send(wide, {}, true),
    await send(wide, {}, false),
    await send({}, wide, false),
    await send({ tournament: cup.guid }, { kind: 'tournament_image' }, true),
  ]
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  for (const { body } of replies) expect(body.tournament).toEqual({ guid: cup.guid, id: cup.id })
  expect(outcome(await send(wide, { kind: 'avatar' }, false))).toEqual([400, 'request.malformed'])
})

test('who may upload what is told by the kind', async () => {
  const [captain, staff, referee, outsider, admin, reviewer, manager] = await Promise.all([
    ...[api.user(), roleHolder(api, cup, 'role:staff'), roleHolder(api, cup, 'role:referee'), api.user()],
    ...[api.user(), api.user(), api.user({ globalRoles: ['global:badges:manage'] })],
  ] as const)
  const [team, platform] = await Promise.all([makeTeam(api, cup, captain), makePlatform(api)])
  await api.sql(
    `insert into platform_members (platform_guid, user_guid, role) values ($1, $2, 'admin'), ($1, $3, 'reviewer')`,
    [platform.guid, admin.guid, reviewer.guid],
  )
  const square = await picture({ width: 256, height: 256 })
  const banner = await picture({ width: 1200, height: 400 })
  const ofCup = { tournament: cup.id }
  const cases: [Caller, Record<string, string>, Buffer, number, string | null][] = [
    [captain, { kind: 'team_image', team: team.guid }, square, 201, null],
    [organiser, { kind: 'team_image', team: team.guid, ...ofCup }, square, 201, null],
    [staff, { kind: 'team_image', team: team.guid }, square, 403, 'media.kind_forbidden'],
    [outsider, { kind: 'team_image', team: team.guid }, square, 403, 'media.kind_forbidden'],
    [captain, { kind: 'team_image' }, square, 400, 'media.field_missing'],
    [captain, { kind: 'team_image', team: ada.guid }, square, 404, 'team.unknown'],
    [staff, { kind: 'tournament_banner', ...ofCup }, banner, 201, null],
    [referee, { kind: 'tournament_banner', ...ofCup }, banner, 403, 'media.kind_forbidden'],
    [staff, { kind: 'update_image', ...ofCup }, banner, 201, null],
    [staff, { kind: 'tournament_banner' }, banner, 400, 'media.field_missing'],
    [staff, { kind: 'tournament_banner', tournament: 'no-such-cup' }, banner, 404, 'tournament.unknown'],
    [admin, { kind: 'platform_image', platform: platform.contextId }, square, 201, null],
    [reviewer, { kind: 'platform_image', platform: platform.contextId }, square, 403, 'media.kind_forbidden'],
    [admin, { kind: 'platform_image', platform: 'nowhere' }, square, 404, 'platform.unknown'],
    [manager, { kind: 'award_image' }, square, 201, null],
    [organiser, { kind: 'award_image' }, square, 403, 'media.kind_forbidden'],
    [organiser, { kind: 'badge_image' }, square, 403, 'media.kind_forbidden'],
    [organiser, { kind: 'badge_image', ...ofCup }, square, 201, null],
    [ada, {}, square, 400, 'media.field_missing'],
    [ada, { kind: 'portrait' }, square, 400, 'request.invalid'],
  ]
  for (const [as, parts, file, status, code] of cases) {
    const reply = await upload(api, as, file, parts)
    expect(outcome(reply), `${as.username} ${JSON.stringify(parts)}`).toEqual([status, code])
  }
})

test('for overlays uploads whoever may edit one of them, and sees that', async () => {
  const roles = ['role:admin', 'role:staff', 'role:hcaster', 'role:caster', 'role:hcoordinator', 'role:referee']
  const holders = await Promise.all(roles.map((role) => roleHolder(api, cup, role)))
  const [editor, another, outsider, otherOrganiser] = await Promise.all([
    api.user(),
    api.user(),
    api.user(),
    api.user(),
  ])
  const other = await makeTournament(api, otherOrganiser)
  const overlay = await makeOverlayRow(api, cup, organiser, { editors: [editor] })
  await makeOverlayRow(api, other, otherOrganiser, { editors: [another] })
  const send = async (as: Caller, kind: string, file: Promise<Buffer> = picture({ width: 200, height: 200 })) =>
    upload(api, as, await file, { kind, tournament: cup.id, rightsConfirmed: 'true' })
  const forbidden = [403, 'media.kind_forbidden']
  const done = [201, null]
  const outcomesByRole: Record<string, unknown> = {}
  for (const [index, role] of roles.entries())
    outcomesByRole[role] = outcome(await send(holders[index] as Caller, 'overlay_image'))
  expect(outcomesByRole).toEqual({
    'role:admin': done,
    'role:staff': done,
    'role:hcaster': done,
    'role:caster': forbidden,
    'role:hcoordinator': forbidden,
    'role:referee': forbidden,
  })
  expect(outcome(await send(outsider, 'overlay_image'))).toEqual(forbidden)
  // The right is limited to editors of this tournament's overlays.
  expect(outcome(await send(another, 'overlay_image'))).toEqual(forbidden)
  const hcaster = holders[2] as Caller
  for (const as of [editor, hcaster]) {
    const font = await send(as, 'overlay_font', Promise.resolve(woff2()))
    expect(outcome(font), font.text).toEqual(done)
    // The status 415 shows that the kind is allowed: the right is checked before the bytes, which are not a video.
    expect(outcome(await send(as, 'overlay_video'))).toEqual([415, 'media.type_unsupported'])
    const image = await send(as, 'overlay_image')
    expect(outcome(image)).toEqual(done)
    expect(outcome(await api.get(`/media/${image.body.guid}`, as))).toEqual([200, null])
    const own = await api.get(`/media?kind=overlay_image&tournament=${cup.id}`, as)
    expect(own.body.media.map(({ guid }: { guid: string }) => guid)).toContain(image.body.guid)
    for (const kind of ['update_image', 'tournament_image', 'tournament_banner'])
      expect(outcome(await send(as, kind)), kind).toEqual(forbidden)
  }
  // Being an editor is not a role: only the staff may list the uploads of others.
  expect(outcome(await api.get(`/tournaments/${cup.id}/media`, editor))).toEqual([403, 'role.missing'])
  const taken = await api.patch(`/tournaments/${cup.id}/overlays/${overlay.guid}`, organiser, { editors: [] })
  expect(outcome(taken)).toEqual([200, null])
  expect(outcome(await send(editor, 'overlay_image'))).toEqual(forbidden)
})

test('what is hidden is not there for uploads either', async () => {
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const team = await makeTeam(api, draft, organiser)
  const file = await picture()
  const tournamentReply = await upload(api, ada, file, { kind: 'tournament_image', tournament: draft.guid })
  const teamReply = await upload(api, ada, file, { kind: 'team_image', team: team.guid })
  expect([outcome(tournamentReply), outcome(teamReply)]).toEqual([
    [404, 'tournament.unknown'],
    [404, 'team.unknown'],
  ])
})

test.each([
  ['no token', null, { kind: 'avatar' }, 401, 'token.missing'],
  ['a script', 'ada', { kind: 'avatar' }, 415, 'media.type_unsupported'],
  [
    'a picture as video',
    'organiser',
    { kind: 'overlay_video', rightsConfirmed: 'true' },
    415,
    'media.type_unsupported',
  ],
  ['a video without rights', 'organiser', { kind: 'overlay_video' }, 400, 'media.field_missing'],
  ['too small a picture', 'ada', { kind: 'avatar' }, 400, 'media.dimensions'],
  ['a broken picture', 'ada', { kind: 'avatar' }, 400, 'media.undecodable'],
  ['too large a file', 'ada', { kind: 'avatar' }, 413, 'media.too_large'],
  ['a drawing', 'ada', { kind: 'avatar' }, 415, 'media.type_unsupported'],
] as const)('%s is refused', async (what, who, parts, status, code) => {
  const files: Readonly<Record<string, () => Promise<Buffer>>> = {
    'a script': async () => Buffer.from('<script>alert(1)</script>'),
    'too small a picture': () => picture({ width: 20, height: 20 }),
    'a broken picture': async () => (await picture({ width: 300, height: 300 })).subarray(0, 120),
    'too large a file': async () => Buffer.alloc(4 * 1024 * 1024 + 1),
    'a drawing': async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'),
  }
  const file = await (files[what] ?? picture)()
  const target = parts.kind === 'overlay_video' ? { tournament: cup.id } : {}
  const as = who === null ? null : { ada, organiser }[who]
  expect(outcome(await upload(api, as, file, { ...parts, ...target }))).toEqual([status, code])
})

test('what is no form of this shape is refused', async () => {
  const send = (raw: Buffer | string, type = 'multipart/form-data; boundary=b') =>
    api.call('POST', '/media?kind=avatar', { as: ada, raw, headers: { 'content-type': type } })
  const part = (name: string, value: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const file = part('file', 'x', '; filename="a.png"')
  const malformed = [
    `${file}${file}--b--\r\n`,
    `${Array.from({ length: 13 }, (_, at) => part(`p${at}`, 'x')).join('')}--b--\r\n`,
    `${part('name', 'x'.repeat(1025))}${file}--b--\r\n`,
    `${part('name', 'x')}${part('name', 'y')}${file}--b--\r\n`,
    `${part('other', 'x', '; filename="a.png"')}--b--\r\n`,
    `${'x'.repeat(3000)}\r\n${file}--b--\r\n`,
    file,
    'nothing of it',
  ]
  for (const raw of malformed) expect(outcome(await send(raw)), raw.slice(0, 60)).toEqual([400, 'request.malformed'])
  expect(outcome(await send(file, 'multipart/form-data'))).toEqual([400, 'request.malformed'])
  expect(outcome(await send('{}', 'application/json'))).toEqual([415, 'request.unsupported_type'])
  expect(outcome(await send('--b--\r\n'))).toEqual([400, 'media.field_missing'])
  expect(outcome(await api.call('POST', '/media?kind=avatar', { as: ada }))).toEqual([400, 'media.field_missing'])
})

test('an avatar is set in one step, and gives way to that of the chat account again', async () => {
  const avatarOf = async () => (await api.get(`/users/${ada.guid}/card`)).body.avatarUrl
  const before = await avatarOf()
  const reply = await api.call('PUT', '/users/@me/avatar', { as: ada, ...formOf(await picture()) })
  expect(outcome(reply)).toEqual([200, null])
  expect(reply.body).toMatchObject({ msg: expect.any(String), media: { kind: 'avatar', usages: 1 } })
  expect(await avatarOf()).toBe(reply.body.media.url)
  const usages = await api.get(`/media/${reply.body.media.guid}/usages`, ada)
  expect(usages.body).toEqual([
    { subject: 'user', guid: ada.guid, field: 'avatarUrl', name: expect.any(String), mayDetach: true },
  ])
  expect((await api.delete('/users/@me/avatar', ada)).status).toBe(200)
  expect(await avatarOf()).not.toBe(reply.body.media.url)
  expect(before).not.toBe(reply.body.media.url)
  expect((await api.get(`/media/${reply.body.media.guid}`, ada)).body.usages).toBe(0)
})

test('where the decoder does not start in time one is told to come back, and nothing is kept', async () => {
  const { services } = api.app
  const usual = services.decoder.decode.bind(services.decoder)
  const hasty = new Decoder({ folder: path.join(services.config.dataDir, 'hasty'), startMs: 1 })
  services.decoder.decode = (...asked) => hasty.decode(...asked)
  const sent = await picture()
  try {
    const replies = [
      await api.call('POST', '/media', { as: ada, ...formOf(sent, { kind: 'avatar' }) }),
      await api.call('PUT', '/users/@me/avatar', { as: ada, ...formOf(sent) }),
    ]
    for (const reply of replies) {
      expect(outcome(reply)).toEqual([503, 'service.busy'])
      expect(reply.headers.get('retry-after')).toBe('1')
    }
    const incoming = path.join(services.config.dataDir, 'media', 'incoming')
    await expect.poll(() => readdir(incoming), { timeout: 10_000 }).toEqual([])
  } finally {
    services.decoder.decode = usual
    await hasty.close()
  }
  expect((await upload(api, ada, sent)).status).toBe(201)
})

test('a captaincy that is lost while the picture is about to be stored does not count', async () => {
  const [captain, other] = [await api.user(), await api.user()]
  const team = await makeTeam(api, cup, captain, { members: [other] })
  const file = await picture({ width: 200, height: 200 })
  const send = (as: Caller) => upload(api, as, file, { kind: 'team_image', team: team.guid })
  const handingOver = `update teams set captain_guid = $2
    from (select from tournaments where guid = $3 for update) held where guid = $1`
  let sending: Promise<Reply> | undefined
  await whileHeld(api, [handingOver, team.guid, other.guid, cup.guid], async (waiting) => {
    sending = send(captain)
    await waiting(1)
  })
  expect(outcome((await sending) as Reply)).toEqual([403, 'media.kind_forbidden'])
  expect((await send(other)).status).toBe(201)
})

/** Each right to upload: its target, and how the user loses it. */
const losses: readonly (readonly [
  string,
  (holder: Caller, admin: Caller) => Promise<{ parts: Record<string, string>; lose: () => Promise<unknown> }>,
])[] = [
  [
    'role:staff',
    async (holder) => {
      await grantRole(api, cup, holder, 'role:staff')
      const revoke = `/tournaments/${cup.id}/permissions/${holder.guid}/revoke`
      return {
        parts: { kind: 'tournament_image', tournament: cup.id },
        lose: () => api.delete(revoke, organiser, { role: 'role:staff' }),
      }
    },
  ],
  [
    'a captaincy',
    async (holder) => {
      const mate = await api.user()
      const team = await makeTeam(api, cup, holder, { members: [mate] })
      return {
        parts: { kind: 'team_image', team: team.guid },
        lose: async () => {
          await api.sql('update teams set captain_guid = $2 where guid = $1', [team.guid, mate.guid])
          return { status: 200 }
        },
      }
    },
  ],
  [
    'the editing of an overlay',
    async (holder) => {
      const { guid } = await makeOverlayRow(api, cup, organiser, { editors: [holder] })
      return {
        parts: { kind: 'overlay_image', tournament: cup.id },
        lose: () => api.patch(`/tournaments/${cup.id}/overlays/${guid}`, organiser, { editors: [] }),
      }
    },
  ],
  [
    'the management of badges',
    async (holder, admin) => {
      await api.sql(`update users set global_roles = '{global:badges:manage}' where guid = $1`, [holder.guid])
      return {
        parts: { kind: 'award_image' },
        lose: () => api.patch(`/admin/users/${holder.guid}`, admin, { roles: [] }),
      }
    },
  ],
]

test.each(losses)('%s that is lost while the file is decoded does not count', async (_, open) => {
  const [holder, admin] = await Promise.all([api.user(), api.user({ globalRoles: ['role:owner'] })])
  const { parts, lose } = await open(holder, admin)
  const { decoder } = api.app.services
  const decode = decoder.decode.bind(decoder)
  let isLost = false
  decoder.decode = async (...asked) => {
    const decoded = await decode(...asked)
    if (!isLost) expect(await lose()).toMatchObject({ status: 200 })
    isLost = true
    return decoded
  }
  try {
    const reply = await upload(api, holder, await picture({ width: 200, height: 200 }), parts)
    expect([isLost, ...outcome(reply)]).toEqual([true, 403, 'media.kind_forbidden'])
  } finally {
    decoder.decode = decode
  }
})
