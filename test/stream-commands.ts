import type { Caller, Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { done } from './qualifiers.ts'

/** Every command of channels and assignments to stream, as a request of an admin that is carried out where nothing stands in its way. */

export interface StreamWish {
  readonly at?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * @param tournament without channels, in which the admin is one
 * @param match GUID of one of its matches that has not begun
 */
export async function streamCommands(
  api: Harness,
  { guid }: MadeTournament,
  admin: Caller,
  match: string,
): Promise<Readonly<Record<string, StreamWish>>> {
  const path = `/tournaments/${guid}`
  const hour = 3_600_000
  const times = {
    startsAt: new Date(Date.now() - hour).toISOString(),
    endsAt: new Date(Date.now() + hour).toISOString(),
  }
  const assigned = async () => ({ user: (await api.user()).guid, role: 'observer', ...times })
  const assign = async () => {
    return (await done(api.post(`${path}/streamAssignments`, admin, await assigned()))).body.guid as string
  }
  const [toChange, toCancel] = [await assign(), await assign()]
  const named = { name: 'Main stream', url: 'https://streams.example.org/main' }
  const made = await done(api.put(`${path}/channels`, admin, { channels: [named], revision: 0 }))
  const channel = made.body.channels[0].guid as string
  return {
    'streamAssignments.create': { body: await assigned() },
    'streamAssignments.update': { at: { assignment: toChange }, body: { note: 'Late.' } },
    'streamAssignments.cancel': { at: { assignment: toCancel } },
    'streamAssignments.replaceOfMatch': { at: { match }, body: { assignments: [await assigned()] } },
    'channels.replaceQueue': { at: { channel }, body: { entries: [{ match, status: 'next' }], revision: 0 } },
    'channels.replace': { body: { channels: [{ ...named, guid: channel, delaySeconds: 60 }], revision: 1 } },
  }
}
