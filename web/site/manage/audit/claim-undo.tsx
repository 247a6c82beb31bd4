import type { AuditEntry } from '../../../../client/generated.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Instant, useClock } from '../../parts/time.tsx'

/** Takes the use of a claim link back: the places are the placeholder's again. (W19) */

const undoableMs = 14 * 86_400_000

interface Props {
  readonly entry: AuditEntry
  /** The claims that the list shows as taken back. */
  readonly undone: ReadonlySet<string>
}

export function ClaimUndo({ entry: { at, actor, after }, undone }: Props) {
  const id = useTournamentId()
  const may = useMay()
  const clock = useClock()
  const undo = useWrite('POST /claims/{userClaim}/undo', (known) => {
    known.renew(`/tournaments/${id}/audit`)
    known.renew(`/tournaments/${id}/teams`)
  })
  const claim = after?.claimGuid
  const until = Date.parse(at) + undoableMs
  // Claims are for those who may import the people that are claimed.
  if (typeof claim !== 'string' || undone.has(claim) || until <= clock() || !may('teams.import')) return null
  const name = actor?.preferredName ?? words('audit.one-person')
  return (
    <Danger
      label={words('audit.undo')}
      of={name}
      title={words('audit.undo-claim', { name })}
      confirm={words('audit.undo-do')}
      error={undo.error}
      isSending={undo.isSending}
      act={() => undo.send({ params: { userClaim: claim } })}
    >
      <p>{words('audit.undo-claim-text', { name })}</p>
      <p>
        {words('audit.undo-claim-until')} <Instant at={new Date(until).toISOString()} />.
      </p>
    </Danger>
  )
}

export const undoneIn = (entries: readonly AuditEntry[]): ReadonlySet<string> =>
  new Set(
    entries.flatMap(({ type, before }) =>
      type === 'claim.undone' && typeof before?.claimGuid === 'string' ? [before.claimGuid] : [],
    ),
  )
