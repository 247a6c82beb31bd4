import { useState } from 'react'
import type { GameProposal, UserCard } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Field, Form } from '../../parts/form/form.tsx'
import styles from './assistant.module.css'

/** Corrects what a song came to before it counts, or lets it not count; both with a reason for the staff. */

interface Corrected {
  readonly user: string
  readonly score: number
  readonly completion: 'passed' | 'failed' | 'quit'
}

interface Props {
  readonly kind: 'correct' | 'reject'
  readonly proposal: GameProposal
  readonly people: readonly UserCard[]
  readonly nameOf: (user: string) => string
  readonly error: Error | null
  readonly close: () => void
  readonly accept: (players: readonly Corrected[], reason: string) => Promise<boolean>
  readonly reject: (reason: string) => Promise<boolean>
}

const completions = ['passed', 'failed', 'quit'] as const

export function Decide({ kind, proposal, people, nameOf, error, close, accept, reject }: Props) {
  const [reason, setReason] = useState('')
  const [changed, setChanged] = useState<ReadonlyMap<string, Corrected>>(new Map())
  const told = new Map(
    proposal.players.map(({ userGuid, score, completion }): [string, Corrected] => [
      userGuid,
      { user: userGuid, score, completion },
    ]),
  )
  // Who is missing in the proposal can be entered too.
  const missing = people.map(({ guid }) => guid).filter((guid) => !told.has(guid))
  const set = (user: string, part: Partial<Corrected>) => {
    const before = changed.get(user) ?? told.get(user) ?? { user, score: 0, completion: 'passed' }
    setChanged(new Map([...changed, [user, { ...before, ...part }]]))
  }
  const submit = async () => {
    const isDone = await (kind === 'reject' ? reject(reason.trim()) : accept([...changed.values()], reason.trim()))
    if (isDone) close()
  }
  const isReady = reason.trim() !== '' && (kind === 'reject' || changed.size > 0)
  return (
    <Dialog title={words(kind === 'reject' ? 'assistant.reject-title' : 'assistant.correct-title')} close={close}>
      <Form error={error} onSubmit={submit}>
        <p>{words(kind === 'reject' ? 'assistant.reject-text' : 'assistant.correct-text')}</p>
        {kind === 'correct' &&
          [...told.keys(), ...missing].map((user) => {
            const value = changed.get(user) ?? told.get(user)
            return (
              <fieldset key={user} className={styles.corrected}>
                <legend>
                  <bdi>{nameOf(user)}</bdi>{' '}
                  {!told.has(user) && <span className="muted">{words('assistant.not-told')}</span>}
                </legend>
                <Field name="score" label={words('play.score')}>
                  {(of) => (
                    <input
                      {...of}
                      className="in num"
                      type="number"
                      inputMode="numeric"
                      min={0}
                      step={1}
                      value={value?.score ?? ''}
                      onChange={({ target }) => set(user, { score: Number(target.value) })}
                    />
                  )}
                </Field>
                <Field name="completion" label={words('assistant.completion')}>
                  {(of) => (
                    <select
                      {...of}
                      className="in"
                      value={value?.completion ?? 'passed'}
                      onChange={({ target }) => set(user, { completion: target.value as Corrected['completion'] })}
                    >
                      {completions.map((each) => (
                        <option key={each} value={each}>
                          {words(`assistant.completion-${each}`)}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              </fieldset>
            )
          })}
        <TextValue
          name="reason"
          label={words('assistant.reason')}
          isRequired
          maxLength={500}
          value={reason}
          change={setReason}
        />
        <div className="btns">
          <button
            type="submit"
            className={kind === 'reject' ? 'btn btn-danger' : 'btn btn-primary'}
            disabled={!isReady}
          >
            {words(kind === 'reject' ? 'assistant.reject' : 'assistant.accept-corrected')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
