import { useQuery } from '@tanstack/react-query'
import type {
  AffectedMatchState,
  Correction,
  CorrectionEntry,
  TournamentWithParts,
  WithdrawalCorrection,
} from '../../../../client/generated.ts'
import { write } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import styles from './audit.module.css'

/** Asks the service what an undo would change, shows it, and undoes the correction when it is confirmed. (W19) */

interface Props {
  readonly of: CorrectionEntry
  readonly title: string
  readonly tournament: TournamentWithParts
  readonly close: () => void
}

const at = 'POST /tournaments/{tournament}/corrections/{correction}/undo'

export function UndoDialog({ of, title, tournament, close }: Props) {
  const id = useTournamentId()
  const params = { tournament: tournament.guid, correction: of.guid }
  const preview = useQuery({
    queryKey: ['undo', of.guid],
    queryFn: () => write(at, { params, query: { dryRun: true } }, crypto.randomUUID()),
    // What it would change may be different the next time.
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const undo = useWrite(at, (known) => {
    known.renew(`/tournaments/${id}/corrections`)
    known.renew(`/tournaments/${id}/audit`)
    close()
  })
  return (
    <Dialog title={words('audit.undo-title')} close={close}>
      <Form error={undo.error} onSubmit={() => undo.send({ params })}>
        <p className="strong">{title}</p>
        {of.match !== null && <p>{words('audit.undo-result')}</p>}
        {of.team !== null && <p>{words('audit.undo-return')}</p>}
        <Loaded of={preview} rows={3}>
          {(body) => <Affected of={body} />}
        </Loaded>
        <div className="btns">
          <button type="submit" className="btn btn-danger" aria-disabled={undo.isSending || preview.data === undefined}>
            {words('audit.undo-do')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}

function Affected({ of }: { readonly of: Correction | WithdrawalCorrection }) {
  if (of.affected.length === 0) return <Empty>{words('audit.affects-none')}</Empty>
  return (
    <>
      <p>{words('audit.affects', { count: of.affected.length })}</p>
      <ul className="lines">
        {of.affected.map(({ matchGuid, number, change, before, after }) => (
          <li key={matchGuid} className={styles.affected}>
            <span className="strong">{words('audit.match', { number })}</span>
            <span className="muted">{words(`audit.change-${change}` as WordId)}</span>
            <span>
              <del>{stateOf(before)}</del> <span aria-hidden="true">→</span> <ins>{stateOf(after)}</ins>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function stateOf({ sides, outcome }: AffectedMatchState): string {
  const shown = sides.map(({ team, score }) => [team?.name ?? words('audit.open-side'), score ?? ''].join(' ').trim())
  const how = outcome === 'walkover' || outcome === 'double_forfeit' ? ` (${words(`audit.outcome-${outcome}`)})` : ''
  return `${shown.join(' : ')}${how}`
}
