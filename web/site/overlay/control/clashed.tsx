import { useSyncExternalStore } from 'react'
import type { OverlayControl } from '../../../../client/generated.ts'
import { momentOf } from '../../chrome/lost-connection.tsx'
import { ApiError } from '../../data/api.ts'
import { connection } from '../../data/connection.ts'
import { words } from '../../data/words.ts'
import { useIsLost } from '../../parts/connected.tsx'
import { timeOf } from '../../parts/time.tsx'
import type { Member, Wanted } from './acts.ts'
import { type Shown, sideNames, useShown } from './shown.ts'

/** What keeps the reader from changing anything: no connection, somebody who was first, a refusal, no right to. */

export function Lost() {
  const { lostAt } = useSyncExternalStore(connection.subscribe, connection.seen)
  const isLost = useIsLost()
  if (!isLost || lostAt === null) return null
  return (
    <p className="notice notice-warning" role="status">
      {words('control.lost', { time: momentOf(lostAt) })}
    </p>
  )
}

export function ReadOnly() {
  // Without a sign-in, rights are those of strangers, and another message says why.
  if (useIsLost()) return null
  return <p className="notice">{words('control.read-only')}</p>
}

/** What the other did, in words, with the way to do it all the same. */
export function Clashed() {
  const shown = useShown()
  const { clash, error, insist, settle } = shown.acts
  if (error !== null)
    return (
      <div className="notice notice-alert" role="alert">
        <p className="push">
          {words('control.refused')}{' '}
          {error instanceof ApiError ? <bdi>{error.message}</bdi> : words('form.unreachable')}
        </p>
        <button type="button" className="btn" onClick={settle}>
          {words('control.close')}
        </button>
      </div>
    )
  if (clash === null) return null
  const { present, wanted, members } = clash
  const name = present.updatedBy?.preferredName || present.updatedBy?.username
  return (
    <div className="notice notice-warning" role="alert">
      <div className="push">
        <p>
          {name === undefined ? (
            words('control.clash-match')
          ) : (
            <>
              <bdi className="strong">{name}</bdi> {words('control.clash')}
            </>
          )}
        </p>
        <ul>
          {members.map((member) => (
            <li key={member}>
              {words(`control.member-${member}`)} <bdi className="strong">{said(shown, member, present)}</bdi>{' '}
              <span className="muted">{words('control.instead', { value: said(shown, member, wanted) })}</span>
            </li>
          ))}
        </ul>
      </div>
      <div className="btns">
        <button type="button" className="btn" onClick={() => void insist(clash)}>
          {words('control.insist')}
        </button>
        <button type="button" className="btn" onClick={settle}>
          {words('control.leave')}
        </button>
      </div>
    </div>
  )
}

const yes = (is: boolean | undefined) => words(is === true ? 'form.yes' : 'form.no')

/** A value of the control in words. */
function said(shown: Shown, member: Member, state: OverlayControl | Wanted): string {
  const { scenes, data } = shown
  switch (member) {
    case 'scene':
      return scenes.find(({ id }) => id === state.scene)?.name ?? words('control.nothing')
    case 'matchGuid':
      if (state.matchGuid == null) return words('control.no-match')
      if (state.matchGuid !== data?.match?.guid) return words('control.another-match')
      return words('schedule.match', { number: data.match.number ?? 0 })
    case 'mapCard':
      return words(`control.card-${state.mapCard ?? 'auto'}`)
    case 'audio': {
      const { muted, active, volume } = state.audio ?? {}
      if (volume !== undefined && active === undefined && muted === undefined)
        return words('control.percent', { percent: Math.round(volume * 100) })
      if (muted === true) return words('control.muted')
      return active === 0 || active === 1 ? sideNames(data)[active] : words('control.both')
    }
    case 'casters':
      return state.casters?.map(({ name }) => name).join(', ') || words('control.none')
    case 'custom':
      return (
        Object.entries(state.custom ?? {})
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => `${key}: ${String(value)}`)
          .join(', ') || words('control.none')
      )
    case 'flavour':
      return state.flavour || words('control.none')
    case 'countdownTo':
      return state.countdownTo == null ? words('control.none') : timeOf(state.countdownTo)
    case 'swapSides':
    case 'blank':
    case 'autoAdvance':
      return yes(state[member])
    case 'autoDelayMs':
      return words('control.seconds', { seconds: (state.autoDelayMs ?? 0) / 1_000 })
  }
}
