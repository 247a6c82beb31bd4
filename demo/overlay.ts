import { Type } from 'typebox'
import { bodyOf } from './client.ts'
import { comesTrue } from './follow.ts'
import type { Scene, Tournament } from './tournament.ts'

/** The overlay of a broadcast: it is created from a template, and follows a match by itself. */

export interface Overlay {
  /** The address for the broadcasting program; everybody who has it sees the overlay. */
  readonly address: string
  /** @param guid the match that the overlay shows from now on */
  readonly point: (guid: string) => Promise<void>
  /** Expects the summary scene after the end of the current match. */
  readonly seeSummary: () => Promise<void>
  /** Shows the scene for the end of the show. */
  readonly showWinners: () => Promise<void>
}

/** A built-in template; in the cup a team plays its maps with all of its players. */
const template = 'teams'
const patienceMs = 10_000

const Draft = Type.Object({ revision: Type.Integer() })
const Made = Type.Object({ guid: Type.String(), draft: Draft })
const Version = Type.Object({ number: Type.Integer() })
const Token = Type.Object({ url: Type.String() })
const Published = Type.Object({
  document: Type.Object({
    scenes: Type.Record(Type.String(), Type.Object({ name: Type.String(), role: Type.Optional(Type.String()) })),
  }),
})
const Control = Type.Object({ scene: Type.Union([Type.String(), Type.Null()]), matchGuid: Type.Unknown() })
const Anything = Type.Unknown()

export async function makeOverlay(scene: Scene, { id }: Tournament): Promise<Overlay> {
  const { client, story, officials } = scene
  const { organiser, caster, referee } = officials
  story.chapter('The overlay')
  const path = `/tournaments/${id}/overlays`
  const json = { name: 'Main', template }
  story.refuse('the referee makes an overlay', 403, await client.call('POST', path, { token: referee.token, json }))
  const made = story.succeed(
    `the organiser does, from the template ${template}`,
    201,
    await client.call('POST', path, { token: organiser.token, json }),
    Made,
  )
  const own = `${path}/${made.guid}`
  story.succeed(
    'and publishes it',
    200,
    await client.call('POST', `${own}/publish`, {
      token: organiser.token,
      json: { revision: made.draft.revision },
    }),
    Version,
  )
  const { url } = bodyOf(
    await client.call('POST', `${own}/tokens`, { token: organiser.token, json: { label: 'The studio' } }),
    201,
    Token,
  )
  const token = url.slice(url.indexOf('#') + 1)
  story.refuse(
    'a stranger, who has no token of it, reads what it shows',
    404,
    await client.call('GET', `${own}/control`),
  )
  const { document } = story.succeed(
    'whoever has its address does',
    200,
    await client.call('GET', `${own}/published`, { token }),
    Published,
  )
  const sceneOf = (role: string) => Object.entries(document.scenes).find(([, each]) => each.role === role)?.[0] ?? null
  const shown = async () => bodyOf(await client.call('GET', `${own}/control`, { token }), 200, Control).scene
  return {
    address: url,
    async point(guid) {
      const answer = await client.call('PUT', `${own}/match`, { token: caster.token, json: { matchGuid: guid } })
      bodyOf(answer, 200, Anything)
      const casters = [{ name: caster.name, userGuid: caster.guid, handle: 'on air tonight' }]
      const named = await client.call('PATCH', `${own}/control`, { token: caster.token, json: { casters } })
      story.succeed(
        'the caster points the overlay at the semi-final, gives their name, and touches nothing from here on',
        200,
        named,
        Control,
      )
    },
    async seeSummary() {
      const summary = sceneOf('summary')
      if (!(await comesTrue(async () => (await shown()) === summary, patienceMs)))
        throw new Error('the overlay does not show how the match has ended')
      story.tell('the overlay has gone from scene to scene with the match, and shows how it has ended')
    },
    async showWinners() {
      const answer = await client.call('PATCH', `${own}/control`, {
        token: caster.token,
        json: { scene: sceneOf('winners') },
      })
      story.succeed('the caster takes the scene of the winners on air', 200, answer, Control)
    },
  }
}
