import { useState } from 'react'
import type { FlowScore } from '../../../../../client/generated.ts'
import { words } from '../../../data/words.ts'
import { useDropLater } from './drop-later.tsx'
import type { Table } from './ops.ts'
import { Previewed, ReasonField, useLook } from './previewed.tsx'

/** Corrects a score that was told, after a look at everything that follows from it. (match-flows: Who wins a map, and the match) */

interface Props extends Table {
  readonly name: string
  readonly score: FlowScore
  readonly close: () => void
}

export function CorrectScore({ view, session, ops, name, score, close }: Props) {
  const [points, setPoints] = useState(String(score.score))
  const [accuracy, setAccuracy] = useState(score.accuracy === null ? '' : (score.accuracy * 100).toFixed(2))
  const [misses, setMisses] = useState(score.misses === null ? '' : String(score.misses))
  const [reason, setReason] = useState('')
  const look = useLook('PATCH /tournaments/{tournament}/flow-sessions/{flowSession}/scores/{score}')
  const later = useDropLater(ops.error ?? look.error)
  const params = { tournament: view.tournament, flowSession: session.session ?? '', score: score.guid }
  const body = {
    score: Number(points),
    accuracy: accuracy === '' ? null : Number(accuracy) / 100,
    misses: misses === '' ? null : Number(misses),
    reason: reason.trim(),
    ...later.given,
  }
  const field = (word: 'score' | 'accuracy' | 'misses', value: string, set: (text: string) => void, step: number) => (
    <label className="field">
      <span>{words(`cockpit.${word}`)}</span>
      <input
        className="in num"
        type="number"
        min={0}
        step={step}
        required={word === 'score'}
        value={value}
        onChange={({ target }) => set(target.value)}
      />
    </label>
  )
  return (
    <Previewed
      title={<bdi>{words('cockpit.correct-score', { name })}</bdi>}
      error={later.error}
      isSending={ops.isSending || look.isSending}
      of={body}
      isDirect={view.match.status !== 'completed'}
      look={() => look.look({ params, query: { dryRun: true }, body })}
      apply={({ revision }) =>
        ops.send('correct', { ...body, ...(revision !== undefined && { revision }) }, { score: score.guid })
      }
      close={close}
    >
      {field('score', points, setPoints, 1)}
      {field('accuracy', accuracy, setAccuracy, 0.01)}
      {field('misses', misses, setMisses, 1)}
      <ReasonField value={reason} set={setReason} />
      {later.field}
    </Previewed>
  )
}
