import { useRef, useState } from 'react'
import type { Correction, GameProposal, UserCard } from '../../../../client/generated.ts'
import type { Sent } from '../../data/api.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Affected } from '../affected.tsx'
import { Dialog } from '../dialog.tsx'
import { TextValue } from '../form/fields.tsx'
import { Field, Form } from '../form/form.tsx'
import styles from './proposals.module.css'

export const acceptPath = 'POST /tournaments/{tournament}/matches/{match}/proposals/{gameProposal}/accept'

/**
 * Corrects what a song came to before it counts, or lets it not count; both with a reason for the staff. In a match
 * that is over it first shows what would change. (W19, AS21)
 */

interface Corrected {
  readonly user: string
  readonly score: number
  readonly completion: 'passed' | 'failed' | 'quit'
}

interface Props {
  readonly kind: 'accept' | 'correct' | 'reject'
  /** Of the proposal, where its match is over. */
  readonly params: Sent<typeof acceptPath>['params'] | null
  readonly proposal: GameProposal
  readonly people: readonly UserCard[]
  readonly nameOf: (user: string) => string
  readonly error: Error | null
  readonly close: () => void
  readonly accept: (body: NonNullable<Sent<typeof acceptPath>['body']>) => Promise<boolean>
  readonly reject: (reason: string) => Promise<boolean>
}

const submits = {
  accept: 'assistant.accept',
  correct: 'assistant.accept-corrected',
  reject: 'assistant.reject',
} as const

const completions = ['passed', 'failed', 'quit'] as const

export function Decide({ kind, proposal, params, people, nameOf, error, close, accept, reject }: Props) {
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
  const found = useRef<Correction | null>(null)
  const look = useWrite(acceptPath, (_known, { correction }) => {
    found.current = correction
  })
  const body = {
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(kind === 'correct' && { players: [...changed.values()] }),
  }
  const text = JSON.stringify(body)
  const [seen, setSeen] = useState<{ readonly text: string; readonly correction: Correction } | null>(null)
  const preview = seen?.text === text ? seen.correction : null
  const submit = async () => {
    if (kind !== 'reject' && params !== null && preview === null) {
      if ((await look.send({ params, query: { dryRun: true }, body })) && found.current !== null)
        setSeen({ text, correction: found.current })
      return
    }
    const revision = preview?.revision
    const isDone = await (kind === 'reject'
      ? reject(reason.trim())
      : accept({ ...body, ...(revision != null && { revision }) }))
    if (isDone) close()
    else setSeen(null)
  }
  const isReady = reason.trim() !== '' && (kind !== 'correct' || changed.size > 0)
  return (
    <Dialog title={words(`assistant.${kind}-title`)} close={close}>
      <Form error={error ?? look.error} onSubmit={submit}>
        <p>{words(`assistant.${kind}-text`)}</p>
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
        {preview !== null && <Affected of={preview.affected} />}
        <div className="btns">
          <button
            type="submit"
            className={kind === 'reject' ? 'btn btn-danger' : 'btn btn-primary'}
            aria-disabled={!isReady || look.isSending}
          >
            {params !== null && kind !== 'reject' && preview === null ? words('withdraw.show') : words(submits[kind])}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
