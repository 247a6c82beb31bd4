import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAwards, step } from './awards.ts'
import { badgePicture } from './badge-pictures.ts'
import { makeBadge } from './badges.ts'
import { type Caller, type Harness, startHarness } from './harness.ts'
import { makeTournament } from './make.ts'
import { shellBlocks } from './markdown.ts'
import { makeMedia } from './media-rows.ts'
import { makeStreamKey, makeStreamServer, validate } from './streaming.ts'

/** The commands of the guide for awards, badges, media and streaming, run as they are written, by an owner. */

const text = readFileSync(path.join(import.meta.dirname, '..', 'docs/guide/administer-content.md'), 'utf8')
const sections = new Map(text.split(/^## /m).map((each) => [each.split('\n')[0] ?? '', shellBlocks(each)]))

let api: Harness
let owner: Caller
let person: Caller
let folder: string
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user({ globalRoles: ['role:owner'] })
  person = await api.user({ name: 'quaver' })
  folder = await mkdtemp(path.join(tmpdir(), 'downbeat-administer-'))
  await writeFile(path.join(folder, 'badge.png'), await badgePicture())
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const end = '= end of an answer ='
const curl = `curl() { command curl --silent --fail-with-body "$@"; echo; echo '${end}'; }`

/** The output of a block of a section, each answer by itself; what is JSON is read. */
async function run(section: string, index: number, env: Readonly<Record<string, string>> = {}) {
  const lines = (sections.get(section)?.[index] ?? 'false').replaceAll('http://127.0.0.1:3001', api.url)
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${curl}\n${lines}`], {
    cwd: folder,
    env: { ...process.env, TOKEN: owner.token, ...env },
  })
  return stdout
    .split(`${end}\n`)
    .map((answer) => answer.trim())
    .map((answer) => (/^[[{]/.test(answer) ? JSON.parse(answer) : answer))
}

const edition = '/awards/community-awards'

test('awards', async () => {
  const [made, listed] = await run('Awards', 0)
  expect(made).toMatchObject({ id: 'community-awards', status: 'draft' })
  expect(listed.editions).toMatchObject([{ id: 'community-awards' }])
  const [first, second] = await run('Awards', 1)
  const given = { CATEGORY: first.guid }
  const [described, order] = await run('Awards', 2, { ...given, OTHER_CATEGORY: second.guid })
  expect(described).toMatchObject({ description: 'What nobody forgets.' })
  expect(order).toEqual({ guids: [second.guid, first.guid] })
  const { updatedAt } = (await api.get(edition, owner)).body
  const [titled] = await run('Awards', 3, { UPDATED_AT: updatedAt })
  expect(titled).toMatchObject({ title: 'Awards of the community', categories: [{ guid: first.guid }] })
  expect(await run('Awards', 4)).toMatchObject([{ status: 'nominating' }, ''])

  const category = `${edition}/categories/${first.guid}`
  const nomination = (await api.post(`${category}/nominations`, person, { label: 'The last note!' })).body.guid
  const [nominations, merged, added, mistake] = await run('Awards', 5, { ...given, NOMINATION: nomination })
  expect(nominations).toMatchObject({ nominations: [{ label: 'The last note!', isOwn: false }] })
  expect(merged).toMatchObject({ label: 'The last note', nominations: 1 })
  const nominees = { NOMINEE: added.guid, MISTAKE: mistake.guid }
  expect(await run('Awards', 6, { ...given, ...nominees })).toMatchObject([{ description: 'In the final.' }, '', ''])
  for (const status of ['shortlisting', 'voting']) await step(api, owner, edition, status)
  const voters = await Promise.all([api.user(), api.user(), person])
  for (const [at, voter] of voters.entries())
    await api.put(`${category}/vote`, voter, { nomineeGuid: at === 0 ? added.guid : merged.guid })
  await step(api, owner, edition, 'counting')

  const [turnout, roll, excluded, exclusions] = await run('Awards', 7, { VOTER: person.guid })
  expect(turnout).toMatchObject({ voters: 3 })
  expect(roll).toContain('quaver')
  expect(excluded).toMatchObject({ reason: 'A second account.' })
  expect(exclusions.exclusions).toHaveLength(1)
  const [recount, published, corrected] = await run('Awards', 8)
  expect(recount).toMatchObject({ agrees: true, ballotsDigest: null })
  expect(published).toMatchObject({ status: 'published' })
  expect(corrected).toMatchObject({ differences: [], applied: false })
  const [results, digest] = await run('Awards', 9)
  expect(results).toMatchObject({ voters: 3 })
  expect(digest).toBe(`${results.ballotsDigest}  -`)
  const open = await makeAwards(api, owner)
  const draft = await makeAwards(api, owner, { isDraft: true })
  const [cancelled] = await run('Awards', 10, { OPEN: open.guid, DRAFT: draft.guid })
  expect(cancelled).toMatchObject({ status: 'cancelled', cancelReason: 'Too few took part.' })
  expect((await api.get(draft.path, owner)).status).toBe(404)
})

test('badges', async () => {
  const [{ guid: MEDIA }] = await run('Badges', 0)
  const [{ guid: BADGE }, found] = await run('Badges', 1, { MEDIA })
  expect(found).toMatchObject({ badges: [{ guid: BADGE }] })
  const [changed, given, holders, retired] = await run('Badges', 2, { BADGE, PERSON: person.guid })
  expect(changed).toMatchObject({ description: 'Who made it all happen.' })
  expect(given).toMatchObject({ granted: [{ label: '2026' }] })
  expect(holders).toMatchObject({ holders: [{ user: { guid: person.guid } }] })
  expect(retired).toMatchObject({ retiredAt: expect.any(String) })
  const { guid: unused } = await makeBadge(api, owner)
  const GRANT = given.granted[0].guid
  const [revoked] = await run('Badges', 3, { BADGE, GRANT, UNUSED_BADGE: unused })
  expect(revoked).toMatchObject({ revokeReason: 'A wrong list.' })
  expect((await api.get(`/badges/${unused}`)).status).toBe(404)

  const ask = async () => {
    const cup = await makeTournament(api, person, { status: 'completed' })
    const { guid: mediaGuid } = await makeMedia(api, 'badge_image', { owner: person })
    const asked = { name: 'Champion', description: 'Who won.', kind: 'placement', mediaGuid }
    const badges = [{ ...asked, recipients: [{ user: person.guid }] }]
    const { guid, updatedAt } = (await api.post(`/tournaments/${cup.guid}/badgeRequests`, person, { badges })).body
    return { REQUEST: guid, UPDATED_AT: updatedAt }
  }
  const one = await ask()
  const [waiting, reviewed] = await run('Badges', 4, one)
  expect(waiting).toMatchObject({ badgeRequests: [{ guid: one.REQUEST }] })
  expect(reviewed).toMatchObject({ request: { status: 'approved' }, skipped: [] })
  const [rejected] = await run('Badges', 5, await ask())
  expect(rejected).toMatchObject({ request: { status: 'rejected', reason: 'The picture is of somebody else.' } })
})

test('media', async () => {
  const { guid } = await makeMedia(api, 'badge_image', { owner: person })
  const [listed, usages] = await run('Media', 0, { PERSON: person.guid, MEDIA: guid })
  expect(listed.media).toContainEqual(expect.objectContaining({ guid }))
  expect(usages).toEqual([])
  expect((await api.get(`/media/${guid}`, owner)).status).toBe(404)
})

test('streaming', async () => {
  const [made, listed] = await run('Streaming', 0)
  expect(made).toMatchObject({ name: 'Studio', secret: expect.any(String) })
  expect(listed).toMatchObject([{ guid: made.guid }])
  // Nothing listens there.
  const [changed, tested, rotated] = await run('Streaming', 1, { SERVER: made.guid, CONTROL: 'http://127.0.0.1:1' })
  expect(changed).toMatchObject({ control: { url: expect.stringContaining('127.0.0.1:1') } })
  expect(tested).toMatchObject({ ok: false })
  expect(rotated.secret).not.toBe(made.secret)
  const [server, { key }] = await Promise.all([makeStreamServer(api), makeStreamKey(api, person)])
  await validate(api, server, { action: 'publish', key, protocol: 'rtmp', ip: '198.51.100.7' })
  const { streamSessions } = (await api.get('/admin/streamSessions?live=true', owner)).body
  const [sessions] = await run('Streaming', 2, { SESSION: streamSessions[0].guid })
  expect(sessions).toMatchObject({ streamSessions: [{ user: { guid: person.guid } }] })
  await run('Streaming', 3, { SERVER: made.guid })
  expect((await api.get(`/admin/streamServers/${made.guid}`, owner)).status).toBe(404)
})
