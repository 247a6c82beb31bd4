import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import type { Of } from './acts.tsx'

/** Gives a match another time. */
export function Reschedule({ match, tournament, close }: Of & { readonly close: () => void }) {
  const form = useForm({ key: `time-${match.guid}`, saved: { scheduledAt: match.scheduledAt } })
  const update = useWrite('PATCH /tournaments/{tournament}/matches/{match}')
  const at = form.values.scheduledAt
  const later = (minutes: number) =>
    form.set('scheduledAt', new Date(Math.max(Date.parse(at ?? ''), 0) + minutes * 60_000).toISOString())
  return (
    <Dialog title={words('live.move-title', { number: match.number })} close={close}>
      <Form
        error={update.error}
        onSubmit={async () => {
          const params = { tournament: tournament.id, match: match.guid }
          if (!(await update.send({ params, body: { scheduledAt: at } }))) return
          form.take()
          close()
        }}
      >
        <InstantField form={form} name="scheduledAt" label={words('live.time')} zone={tournament.timezone} />
        {at !== null && (
          <div className="btns">
            {[10, 15, 30].map((minutes) => (
              <button key={minutes} type="button" className="btn" onClick={() => later(minutes)}>
                {words('live.later', { minutes })}
              </button>
            ))}
          </div>
        )}
        <Save isSending={update.isSending} isDisabled={!form.isChanged}>
          {words('live.move-do')}
        </Save>
      </Form>
    </Dialog>
  )
}
