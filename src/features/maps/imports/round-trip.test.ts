import { expect, test } from 'vitest'
import { startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'

/** Reads a file like the game's playlist manager does: by these members only, without knowing this service. */
function readAsTheGameDoes(text: string) {
  const file = JSON.parse(text)
  expect(typeof file.playlistTitle).toBe('string')
  expect(file.image).toMatch(/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/)
  const songs = file.songs.map((song: Record<string, unknown>) => {
    const hash = String(song.hash ?? String(song.levelid).replace(/^custom_level_/, '')).toUpperCase()
    const listed = (song.difficulties ?? []) as { characteristic: string; name: string }[]
    return [hash, ...listed.map(({ characteristic, name }) => `${characteristic} ${name.toLowerCase()}`)]
  })
  return { songs, syncURL: file.customData?.syncURL ?? file.syncURL }
}

test('a playlist that is imported elsewhere and exported again has the same songs and difficulties', async () => {
  await using catalogue = await startFakeCatalogue()
  await using api = await startHarness({ catalogueUrl: catalogue.url })
  const organiser = await api.user()
  const done = async (call: Promise<Reply>) => {
    const reply = await call
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply
  }
  const makeDraft = async (cup: MadeTournament, as: Caller) =>
    `/tournaments/${cup.guid}/pools/${(await done(api.post(`/tournaments/${cup.guid}/pools`, as, { name: 'Finals' }))).body.guid}`
  const publish = async (pool: string) => {
    const { body } = await done(api.post(`${pool}/publish`, organiser, {}))
    return done(api.get(`/resources/pooling/pools/${body.guid}/playlist.bplist`))
  }

  const [first, second] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
  const source = await makeDraft(first, organiser)
  const all = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus', 'Lawless/Expert', 'OneSaber/Hard']
  const lines: string[] = []
  for (let number = 0; number < 8; number++) {
    const { key, hash } = catalogue.maps.add({ difficulties: all })
    const ref = number % 2 === 0 ? key : hash
    lines.push(`${ref} ExpertPlus`, `${ref} Expert Lawless`)
    if (number % 3 === 0) lines.push(`${ref} Easy`, `${ref} Hard OneSaber`)
  }
  const imported = async (pool: string, body: object) => {
    const { guid } = (await done(api.post(`${pool}/imports`, organiser, body))).body
    const read = async () => (await api.get(`${pool}/imports/${guid}`, organiser)).body
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('done')
    return read()
  }
  expect((await imported(source, { source: { kind: 'text', lines } })).counts.added).toBe(lines.length)
  const file = await publish(source)
  const read = readAsTheGameDoes(file.text)
  expect(read.songs).toHaveLength(8)
  // The game reloads the list from `syncURL`.
  expect((await api.get(read.syncURL.replace(/^http:\/\/[^/]+\/api/, ''))).text).toBe(file.text)

  const target = await makeDraft(second, organiser)
  const job = await imported(target, { source: { kind: 'playlist', playlist: JSON.parse(file.text) } })
  expect(job.counts.added).toBe(lines.length)
  const again = await publish(target)
  expect(readAsTheGameDoes(again.text).songs).toEqual(read.songs)
  expect(readAsTheGameDoes(again.text).syncURL).not.toBe(read.syncURL)
})
