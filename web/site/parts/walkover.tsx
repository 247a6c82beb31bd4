import { useRef, useState } from 'react'
import type { Correction, Match } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { doneAsSeen } from './as-seen.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form/form.tsx'
import { sideName } from './match.tsx'

/** Ends a match without play, after a look at what that does. It can be corrected later. (W19) */

type Outcome = '1' | '2' | 'both'

interface Props {
  readonly match: Match
  readonly tournament: { readonly id: string }
  readonly close: () => void
}

export function Walkover({ match, tournament, close }: Props) {
  const [absent, setAbsent] = useState<Outcome | null>(null)
  const [reason, setReason] = useState('')
  const [preview, setPreview] = useState<Correction | null>(null)
  const params = { tournament: tournament.id, match: match.guid }
  const found = useRef<Correction | null>(null)
  const look = useWrite('PUT /tournaments/{tournament}/matches/{match}/result', (_known, reply) => {
    if ('dryRun' in reply) found.current = reply
  })
  const give = useWrite('PUT /tournaments/{tournament}/matches/{match}/result')
  const body = {
    ...(absent === 'both'
      ? ({ outcome: 'double_forfeit' } as const)
      : ({ outcome: 'walkover', winner: absent === '1' ? 2 : 1 } as const)),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  }
  // The first step shows what would happen; the second one does exactly that.
  const submit = async () => {
    if (absent === null) return
    const seeNow = async () => ((await look.send({ params, query: { dryRun: true }, body })) ? found.current : null)
    if (preview === null) return setPreview(await seeNow())
    const left = await doneAsSeen(preview, ({ revision }) => give.send({ params, body: { ...body, revision } }), seeNow)
    if (left === null) close()
    else setPreview(left ?? null)
  }
  const names = match.sides.map(sideName)
  const options: readonly (readonly [Outcome, string])[] = [
    ['1', words('live.absent', { team: names[0] ?? '' })],
    ['2', words('live.absent', { team: names[1] ?? '' })],
    ['both', words('live.absent-both')],
  ]
  return (
    <Dialog title={words('live.walkover-title', { number: match.number })} close={close}>
      <Form error={give.error ?? look.error} onSubmit={submit}>
        <fieldset>
          <legend className="strong">{words('live.absent-who')}</legend>
          {options.map(([value, name]) => (
            <label key={value} className="choice">
              <input
                type="radio"
                name="absent"
                required
                checked={absent === value}
                onChange={() => {
                  setAbsent(value)
                  setPreview(null)
                }}
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
        <label className="field">
          <span>{words('live.reason')}</span>
          <input
            className="in"
            value={reason}
            maxLength={500}
            onChange={({ target }) => {
              setReason(target.value)
              setPreview(null)
            }}
          />
        </label>
        {preview !== null && (
          <div role="status" className="notice notice-warning">
            <p className="strong">
              {absent === 'both'
                ? words('live.nobody-wins')
                : words('live.wins', { team: names[absent === '1' ? 1 : 0] ?? '' })}
            </p>
            {preview.affected.length === 0 ? (
              <p>{words('live.alone')}</p>
            ) : (
              <ul>
                {preview.affected.map(({ matchGuid, number, change }) => (
                  <li key={matchGuid}>
                    {words('withdraw.match', { number })}: {words(`correction.${change}`)}
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
        <div className="btns">
          <button
            type="submit"
            className={preview === null ? 'btn btn-primary' : 'btn btn-danger'}
            aria-disabled={look.isSending || give.isSending}
          >
            {words(preview === null ? 'withdraw.show' : 'live.walkover-do')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
