import { useEffect, useRef } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { useAnnouncer, useIsSilent } from '../../parts/announcer.tsx'
import { sideName } from '../../parts/match.tsx'

/** Tells those who hear the page which matches finished, several together. (W16) */
export function Announcer({ matches, isHidden }: { readonly matches: readonly Match[]; readonly isHidden: boolean }) {
  const isSilent = useIsSilent('bracket')
  const known = useRef(new Map(matches.map(({ guid, status }) => [guid, status])))
  const tell = useAnnouncer<Match>(([only, ...others]) => {
    const winner = only.sides.find(({ result }) => result === 'win')
    return others.length > 0 || winner === undefined || isHidden
      ? words('announce.finished', { count: others.length + 1 })
      : words('announce.won', { number: only.number, team: sideName(winner) })
  })
  useEffect(() => {
    for (const match of matches) {
      if (match.status === 'completed' && known.current.get(match.guid) === 'running' && !isSilent) tell(match)
      known.current.set(match.guid, match.status)
    }
  }, [matches, isSilent, tell])
  return null
}
