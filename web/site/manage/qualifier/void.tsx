import type { QualifierAttempt } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { wholeOf } from '../../parts/numbers.ts'
import { boardAddress, nameOfMap } from '../map-reads.ts'
import { ledgerPath } from './reads.ts'

/** Makes an attempt void: it counts no more, cannot be taken back, and the player may play once more. (W19) */
export function VoidAttempt({ of, close }: { readonly of: QualifierAttempt; readonly close: () => void }) {
  const tournament = useTournamentId()
  const form = useForm({ key: `void-${of.guid}`, saved: { reason: '', refund: of.source === 'assistant' } })
  const take = useWrite('POST /tournaments/{tournament}/qualifier/attempts/{attempt}/void', (known) => {
    known.renew(ledgerPath(tournament))
    known.renew(boardAddress(tournament))
    say(words('ledger.voided'))
    form.take()
    close()
  })
  const { reason, refund } = form.values
  return (
    <Dialog title={words('ledger.void-title', { name: of.user.preferredName })} close={close}>
      <Form
        error={take.error}
        onSubmit={() =>
          take.send({
            params: { tournament, attempt: of.guid },
            body: { reason: reason.trim(), ...(refund && { refund: true }) },
          })
        }
      >
        <p>{words('ledger.void-text', { map: nameOfMap(of.map), score: wholeOf(of.score) })}</p>
        <TextField form={form} name="reason" label={words('ledger.reason')} isRequired maxLength={500} />
        <CheckField form={form} name="refund" label={words('ledger.refund')} hint={words('ledger.refund-hint')} />
        <div className="btns">
          <button type="submit" className="btn btn-danger" aria-disabled={take.isSending || reason.trim() === ''}>
            {words('ledger.make-void')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
