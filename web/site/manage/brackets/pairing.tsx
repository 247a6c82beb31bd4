import type { ListedBracket } from '../../../../client/generated.ts'
import { divisionsAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'

/** Pairs the next round of a Swiss bracket; the service refuses it while a match is open. */
export function PairRound({ bracket, tournament }: { readonly bracket: ListedBracket; readonly tournament: string }) {
  const { guid, name, settings, rounds, status } = bracket
  const next = rounds.length + 1
  const { send, error, isSending } = useWrite('POST /tournaments/{tournament}/brackets/{bracket}/rounds', (known) => {
    known.renew(divisionsAddress(tournament))
    known.renew(`/tournaments/${tournament}/brackets/${guid}`)
  })
  if (status !== 'running' || next > (settings.rounds ?? 1)) return null
  return (
    <Danger
      label={words('draw.pair', { round: next })}
      title={words('draw.pair-title', { round: next, name })}
      isPlain
      error={error}
      isSending={isSending}
      act={() => send({ params: { tournament, bracket: guid }, body: undefined })}
    >
      <p>{words('draw.pair-text', { round: rounds.length })}</p>
    </Danger>
  )
}
