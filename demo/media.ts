import sharp from 'sharp'
import { Type } from 'typebox'
import { type Answer, bodyOf, type Client, inParallel } from './client.ts'
import type { Cup } from './cup.ts'
import type { Person } from './people.ts'
import type { Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/** Pictures that are drawn here, uploaded and set: a banner for the tournament, a picture for each team. */

const Medium = Type.Object({ guid: Type.String(), url: Type.String(), width: Type.Integer(), height: Type.Integer() })
const Shown = Type.Object({ imageUrl: Type.Union([Type.String(), Type.Null()]) })
const WithBanner = Type.Object({ bannerUrl: Type.String() })

const uploadsAtOnce = 4

/** Twelve hues around the circle, of one strength. */
const hues = '#c32222 #c37222 #c3c322 #72c322 #22c322 #22c372 #22c3c3 #2272c3 #2222c3 #7222c3 #c322c3 #c32272'.split(
  ' ',
)

/** Two distant colours for a nation, always the same ones. */
function coloursOf(code: string): readonly [string, string] {
  const hash = [...code].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)
  const [ground = '', sign = ''] = [hues[hash % 12], hues[(hash + 5) % 12]]
  return [ground, sign]
}

function drawTeam(code: string): Promise<Buffer> {
  const [ground, sign] = coloursOf(code)
  const [first = 65, second = 65] = [...code].map((letter) => letter.charCodeAt(0))
  const points = 3 + (first % 4)
  const corners = Array.from({ length: points }, (_, index) => {
    const angle = (2 * Math.PI * index) / points + second
    return `${256 + 170 * Math.sin(angle)},${256 + 170 * Math.cos(angle)}`
  })
  return drawn(
    512,
    512,
    `<rect width="512" height="512" fill="${ground}"/><polygon points="${corners.join(' ')}" fill="${sign}"/>`,
  )
}

/** One bar for each seeded nation, the tallest for the best. */
function drawBanner({ teams }: Cup): Promise<Buffer> {
  const seeded = teams.filter(({ seed }) => seed !== null)
  const bars = seeded.map(({ code }, index) => {
    const [ground] = coloursOf(code)
    const height = 560 - index * 14
    return `<rect x="${index * 60}" y="${640 - height}" width="48" height="${height}" fill="${ground}"/>`
  })
  return drawn(1920, 640, `<rect width="1920" height="640" fill="#101820"/>${bars.join('')}`)
}

export function drawn(width: number, height: number, shapes: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

export function upload(
  client: Client,
  { token }: Person,
  picture: Buffer,
  parts: Readonly<Record<string, string>>,
): Promise<Answer> {
  // The other parts come before the file, so that a refusal comes before the upload.
  const upload = new FormData()
  for (const [name, value] of Object.entries(parts)) upload.set(name, value)
  upload.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png')
  return client.call('POST', '/media', { token, upload })
}

/** Returns the address of the banner. */
export async function showBanner({ client, story, cup, officials }: Scene, { id }: Tournament): Promise<string> {
  const { staff, caster } = officials
  story.chapter('A banner')
  const picture = await drawBanner(cup)
  const parts = { kind: 'tournament_banner', tournament: id, name: 'Nations' }
  story.refuse('the caster uploads a banner', 403, await upload(client, caster, picture, parts))
  const medium = story.succeed('role:staff uploads a banner', 201, await upload(client, staff, picture, parts), Medium)
  const set = await client.call('PATCH', `/tournaments/${id}`, { token: staff.token, json: { bannerUrl: medium.url } })
  const { bannerUrl } = story.succeed('role:staff sets it', 200, set, WithBanner)
  story.tell(`${bannerUrl}, ${medium.width} by ${medium.height}, and smaller beside that`)
  return bannerUrl
}

/** Returns the address of the first team's picture. */
export async function showTeams(
  { client, story }: Scene,
  { id }: Tournament,
  entries: readonly Entry[],
): Promise<string> {
  const [first, second] = entries
  if (first === undefined || second === undefined) throw new Error('there are no teams')
  const pictures = await inParallel(entries, uploadsAtOnce, async ({ guid, nation, captain }) => {
    const [color] = coloursOf(nation.code)
    const parts = { kind: 'team_image', tournament: id, team: guid, name: nation.name }
    const medium = bodyOf(await upload(client, captain, await drawTeam(nation.code), parts), 201, Medium)
    const path = `/tournaments/${id}/teams/${guid}`
    const set = await client.call('PATCH', path, { token: captain.token, json: { imageUrl: medium.url, color } })
    return bodyOf(set, 200, Shown).imageUrl ?? ''
  })
  story.tell(`${pictures.length} captains have uploaded a picture of their team, and set it`)
  const path = `/tournaments/${id}/teams/${second.guid}`
  const stolen = await client.call('PATCH', path, { token: second.captain.token, json: { imageUrl: pictures[0] } })
  story.refuse(`the captain of ${second.nation.name} sets that of ${first.nation.name}`, 400, stolen)
  return pictures[0] ?? ''
}
