import { useState } from 'react'
import { changed } from '../../data/reports/answers.ts'
import { sendInstead } from '../../data/reports/sender.ts'
import type { Report } from '../../data/reports/types.ts'
import { words } from '../../data/words.ts'
import { Dialog } from '../dialog.tsx'
import { Form, Save } from '../form/form.tsx'

/** Changes the scores of a report that is not sent. */
export function ChangeReport({ report, close }: { readonly report: Report; readonly close: () => void }) {
  const [scores, setScores] = useState(report.lines.map(({ values }) => String(values.score ?? '')))
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const lines = report.lines.map((line, at) => ({
      ...line,
      values: { ...line.values, score: scores[at] === '' ? null : Number(scores[at]) },
    }))
    const { request } = report
    const seen = request.at.startsWith('PUT') && 'revision' in request.body ? (request.body.revision ?? null) : null
    await sendInstead(report, [changed(report, lines, seen)])
    close()
  }
  return (
    <Dialog title={words('reports.change-title', { game: report.game })} close={close}>
      <Form onSubmit={submit}>
        {report.lines.map(({ who, name }, at) => (
          <label key={who} className="field">
            <bdi>{name}</bdi>
            <input
              className="in num"
              type="number"
              inputMode="numeric"
              min={0}
              max={1_000_000_000}
              step={1}
              required
              value={scores[at]}
              onChange={({ target }) => setScores(scores.with(at, target.value))}
            />
          </label>
        ))}
        <Save isSending={isBusy}>{words('reports.save')}</Save>
      </Form>
    </Dialog>
  )
}
