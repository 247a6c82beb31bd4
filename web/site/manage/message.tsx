import { useState } from 'react'
import { useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/form/fields.tsx'
import { Form, Save } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'

interface Addressed {
  readonly team: { readonly guid: string; readonly name: string }
}

interface Props {
  readonly teams: readonly Addressed[]
  /** On the button, where it is for something special. */
  readonly label?: string
  /** What is written at first. */
  readonly text?: string
}

/** Writes to the captains of teams, who find it among their notifications. */
export function Message({ teams, label, text = '' }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {label ?? words(teams.length === 1 ? 'message.captain' : 'message.captains')}…
      </button>
      {isOpen && (
        <Dialog title={words('message.title', { count: teams.length })} close={() => setOpen(false)}>
          <Text teams={teams} text={text} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

const maxText = 1_000

interface TextProps extends Required<Pick<Props, 'teams' | 'text'>> {
  readonly close: () => void
}

function Text({ teams, text, close }: TextProps) {
  const tournament = useTournamentId()
  const form = useForm({ key: text === '' ? `message-${tournament}` : null, saved: { text } })
  const [result, setResult] = useState<{ readonly sent: number; readonly unreached: readonly string[] } | null>(null)
  const send = useWrite('POST /tournaments/{tournament}/registrations/messages', (_known, reply) => {
    setResult(reply)
    form.take()
  })
  if (result !== null) {
    const missed = teams.filter(({ team }) => result.unreached.includes(team.guid))
    return (
      <>
        <p role="status">{words('message.sent', { count: result.sent })}</p>
        {missed.length > 0 && (
          <>
            <p>{words('message.unreached')}</p>
            <ul className="lines">
              {missed.map(({ team }) => (
                <li key={team.guid}>
                  <bdi>{team.name}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        <div className="btns">
          <button type="button" className="btn btn-primary" onClick={close}>
            {words('dialog.close')}
          </button>
        </div>
      </>
    )
  }
  return (
    <Form
      error={send.error}
      onSubmit={() =>
        send.send({
          params: { tournament },
          body: { teams: teams.map(({ team }) => team.guid), text: form.values.text },
        })
      }
    >
      <TextField
        form={form}
        name="text"
        label={words('message.text')}
        hint={words('message.hint')}
        rows={5}
        maxLength={maxText}
        isRequired
      />
      <Save isSending={send.isSending}>{words('message.send')}</Save>
    </Form>
  )
}
