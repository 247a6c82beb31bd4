import { useRef, useState } from 'react'
import type { OverlayControl } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { type Known, useWrite } from '../../data/writes.ts'

/**
 * Changes of what is on air. Each is made for the state that the reader has seen: what somebody else has changed meanwhile
 * is not overwritten unseen, and what they have changed elsewhere keeps nothing. (OV12, W10)
 */

/** A value of the scenes' own. */
export type OwnValue = string | number | boolean

/** The members that are to change; of the sound and of own values, those of its members that are named. */
export type Wanted = Partial<
  Omit<OverlayControl, 'scene' | 'audio' | 'custom' | 'highlighted' | 'revision' | 'updatedAt' | 'updatedBy'>
> & {
  readonly scene?: string
  readonly audio?: Partial<OverlayControl['audio']>
  /** One that is undefined is removed. */
  readonly custom?: Readonly<Record<string, OwnValue | undefined>>
}

export type Member = keyof Wanted

/** What was not done, because somebody else was first. */
export interface Clash {
  readonly wanted: Wanted
  readonly present: OverlayControl
  /** What both wanted to change. */
  readonly members: readonly Member[]
}

export interface Acts {
  /** @param seen the state that the reader has seen, where it is not the newest */
  readonly send: (wanted: Wanted, seen?: OverlayControl) => Promise<boolean>
  /** Does what was not done, over what the other did. */
  readonly insist: (clash: Clash) => Promise<boolean>
  readonly clash: Clash | null
  readonly error: Error | null
  /** Takes the message of a clash or a refusal away. */
  readonly settle: () => void
  /** Whether a change of the member is on its way, and to what. */
  readonly sending: Wanted
}

/** How often a change is tried again when others change something else at the same time. */
const maxTries = 5

export const controlAddress = (tournament: string, overlay: string) =>
  address('/tournaments/{tournament}/overlays/{overlay}/control', { tournament, overlay })

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The part of a state that a change is about. */
function partOf(state: OverlayControl, wanted: Wanted, member: Member): unknown {
  if (member !== 'audio' && member !== 'custom') return state[member]
  const values: Readonly<Record<string, unknown>> = state[member]
  return Object.fromEntries(Object.keys(wanted[member] ?? {}).map((name) => [name, values[name]]))
}

/** An older state that arrives late, when a change was answered before its topic told of it, is not shown. */
export function useNewest(control: OverlayControl): OverlayControl {
  const newest = useRef(control)
  if (control.revision >= newest.current.revision) newest.current = control
  return newest.current
}

/** @param control the newest state that is shown */
export function useActs(overlay: string, control: OverlayControl): Acts {
  const tournament = useTournamentId()
  const at = controlAddress(tournament, overlay)
  const newest = useRef(control)
  if (control.revision >= newest.current.revision) newest.current = control
  /** What the reader has set, which is no change of somebody else. */
  const own = useRef<Wanted>({})
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const [clash, setClash] = useState<Clash | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [sending, setSending] = useState<Wanted>({})

  const take = (known: Known, state: OverlayControl) => {
    newest.current = state
    known.put(at, state)
  }
  const change = useWrite('PATCH /tournaments/{tournament}/overlays/{overlay}/control', take)
  const point = useWrite('PUT /tournaments/{tournament}/overlays/{overlay}/match', take)
  const params = { tournament, overlay }

  const write = (wanted: Wanted, { revision, custom: present }: OverlayControl) => {
    const { matchGuid, custom, ...body } = wanted
    if (matchGuid !== undefined) return point.attempt({ params, body: { matchGuid, revision } })
    // The service replaces them as a whole.
    const own = custom && { custom: { ...present, ...custom } }
    return change.attempt({ params, body: { ...body, ...own, revision } })
  }

  const tell = (failed: { readonly clash?: Clash; readonly error?: Error }) => {
    setClash(failed.clash ?? null)
    setError(failed.error ?? null)
  }
  /** What has failed since the press is still to be read. */
  const untell = () => {
    setClash((now) => (now === clash ? null : now))
    setError((now) => (now === error ? null : now))
  }

  async function carryOut(wanted: Wanted, seen: OverlayControl): Promise<boolean> {
    const members = Object.keys(wanted) as Member[]
    for (let tries = 0; tries < maxTries; tries++) {
      const present = newest.current
      const part = (state: OverlayControl, member: Member) => partOf(state, wanted, member)
      // A choice of the scene that the match has shown by itself keeps it there: what was due after it is cancelled.
      const isKept = wanted.scene !== undefined && present.autoAdvance
      if (!isKept && members.every((member) => isSame(part(present, member), wanted[member]))) {
        untell()
        return true
      }
      const theirs = members.filter(
        (member) =>
          !isSame(part(present, member), part(seen, member)) &&
          !isSame(part(present, member), wanted[member]) &&
          // Hands decide against the match itself, which goes on by itself just when they are needed.
          !(member === 'scene' && present.updatedBy === null) &&
          !(member in own.current && isSame(part(present, member), own.current[member])),
      )
      if (theirs.length > 0) {
        tell({ clash: { wanted, present, members: theirs } })
        return false
      }
      const failure = await write(wanted, present)
      if (failure === null) {
        own.current = { ...own.current, ...wanted }
        untell()
        return true
      }
      const newer = failure instanceof ApiError && failure.code === 'overlay.stale' ? failure.data.present : undefined
      if (newer === undefined) {
        tell({ error: failure })
        return false
      }
      newest.current = newer as OverlayControl
    }
    tell({ clash: { wanted, present: newest.current, members } })
    return false
  }

  /** One after the other, in the order in which they were asked for. What was said before stays until this is over. (W17) */
  const send = (wanted: Wanted, seen = newest.current): Promise<boolean> => {
    setSending(wanted)
    const done = turn.current.then(() => carryOut(wanted, seen))
    turn.current = done
    void done.then(() => {
      if (turn.current === done) setSending({})
    })
    return done
  }
  return {
    send,
    insist: ({ wanted, present }) => send(wanted, present),
    clash,
    error,
    settle: () => tell({}),
    sending,
  }
}
