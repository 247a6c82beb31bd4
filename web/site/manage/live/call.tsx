import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import type { Of } from './acts.tsx'

/** Calls the teams of a match: who plays is notified, and the chat where announcements go. */
export function Call({ match, tournament, close }: Of & { readonly close: () => void }) {
  const form = useForm({ key: `call-${match.guid}`, saved: { message: '' } })
  const call = useWrite('POST /tournaments/{tournament}/matches/{match}/call')
  return (
    <Dialog title={words('live.call-title', { number: match.number })} close={close}>
      <Form
        error={call.error}
        onSubmit={async () => {
          const message = form.values.message.trim()
          const isDone = await call.send({
            params: { tournament: tournament.id, match: match.guid },
            body: message === '' ? {} : { message },
          })
          if (!isDone) return
          form.take()
          close()
        }}
      >
        <TextField
          form={form}
          name="message"
          label={words('live.call-text')}
          hint={words('live.call-hint')}
          rows={3}
          maxLength={500}
        />
        <Save isSending={call.isSending}>{words('live.call')}</Save>
      </Form>
    </Dialog>
  )
}
