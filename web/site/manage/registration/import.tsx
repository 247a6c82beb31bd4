import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { TeamImport } from '../../data/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form } from '../../parts/form/form.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import styles from './registration.module.css'

/** Enters a sheet of sign-ups: first what each row would do, then the rows themselves. */

const at = 'POST /tournaments/{tournament}/teams/import'

/** What was given: a file, or what was pasted. */
interface Sheet {
  readonly name: string
  readonly content: Blob
}

export function Import() {
  const tournament = useTournamentId()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [pasted, setPasted] = useState('')
  const [preview, setPreview] = useState<TeamImport | null>(null)
  const [result, setResult] = useState<TeamImport | null>(null)
  const check = useWrite(at, (_known, reply) => setPreview(reply))
  const enter = useWrite(at, (known, reply) => {
    setResult(reply)
    known.renew(`/tournaments/${tournament}`)
  })
  const bodyOf = ({ content, name: file }: Sheet, isDry: boolean) => {
    const body = new FormData()
    // Parts that come before the file are known when it is read.
    body.append('dryRun', String(isDry))
    body.append('file', content, file)
    return body
  }
  const look = (given: Sheet) => {
    setSheet(given)
    setPreview(null)
    void check.send({ params: { tournament }, body: bodyOf(given, true) })
  }
  return (
    <div className="page stack">
      <div>
        <p>
          <Link to="/manage/$tournament/registration" params={{ tournament }}>
            {words('import.back')}
          </Link>
        </p>
        <h1>{words('import.title')}</h1>
        <p className="muted">{words('import.lead')}</p>
      </div>
      {result === null ? (
        <>
          <Source pasted={pasted} setPasted={setPasted} isReading={check.isSending} error={check.error} look={look} />
          {preview !== null && (
            <Section title={words('import.preview')} beside={<Totals of={preview} />}>
              <Rows of={preview} tournament={tournament} />
              <Form
                error={enter.error}
                onSubmit={() => sheet !== null && enter.send({ params: { tournament }, body: bodyOf(sheet, false) })}
              >
                <div className="btns">
                  <button
                    type="submit"
                    className="btn btn-primary"
                    aria-disabled={enter.isSending || preview.totals.created + preview.totals.updated === 0}
                  >
                    {words('import.enter', { count: preview.totals.created + preview.totals.updated })}
                  </button>
                  <span role="status" className="muted">
                    {enter.isSending ? words('form.saving') : words('import.nothing-yet')}
                  </span>
                </div>
              </Form>
            </Section>
          )}
        </>
      ) : (
        <Section title={words('import.done')} beside={<Totals of={result} />}>
          <Rows of={result} tournament={tournament} />
          <div className="btns">
            <Link to="/manage/$tournament/registration" params={{ tournament }} className="btn btn-primary">
              {words('import.to-desk')}
            </Link>
            <button
              type="button"
              className="btn"
              onClick={() => {
                setResult(null)
                setPreview(null)
                setPasted('')
              }}
            >
              {words('import.another')}
            </button>
          </div>
        </Section>
      )}
    </div>
  )
}

interface SourceProps {
  readonly pasted: string
  readonly setPasted: (text: string) => void
  readonly isReading: boolean
  readonly error: Error | null
  readonly look: (sheet: Sheet) => void
}

/** A heading and a row, to be copied into an empty sheet. */
const sample = 'teamName;captain;members;seed\nThe Quavers;210987654321098765;Breve | Longa;1'

function Source({ pasted, setPasted, isReading, error, look }: SourceProps) {
  const file = useId()
  const text = useId()
  return (
    <Form error={error} onSubmit={() => look({ name: 'sheet.csv', content: new Blob([pasted], { type: 'text/csv' }) })}>
      <div className="field">
        <label htmlFor={file}>{words('import.file')}</label>
        <input
          id={file}
          className={`in ${styles.file}`}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-describedby={`${file}h`}
          onChange={({ target }) => {
            const [given] = target.files ?? []
            if (given !== undefined) look({ name: given.name, content: given })
          }}
        />
        <p id={`${file}h`} className="small muted">
          {words('import.columns')}
        </p>
      </div>
      <div className="field">
        <label htmlFor={text}>{words('import.paste')}</label>
        <textarea
          id={text}
          className={`in ${styles.sheet}`}
          rows={6}
          value={pasted}
          placeholder={sample}
          spellCheck={false}
          dir="auto"
          onChange={({ target }) => setPasted(target.value)}
        />
      </div>
      <div className="btns">
        <button type="submit" className="btn" aria-disabled={isReading || pasted.trim() === ''}>
          {words('import.check')}
        </button>
        <span role="status" className="muted">
          {isReading ? words('import.reading') : ''}
        </span>
      </div>
    </Form>
  )
}

function Totals({ of: { totals } }: { readonly of: TeamImport }) {
  return (
    <span className="muted" role="status">
      {words('import.totals', { ...totals })}
    </span>
  )
}

const shapes = { created: 'done', updated: 'ready', same: 'waiting', rejected: 'problem' } as const

function Rows({ of: { rows }, tournament }: { readonly of: TeamImport; readonly tournament: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too
    <section className="wide-content" tabIndex={0} aria-label={words('import.table')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="n narrow">
              {words('import.line')}
            </th>
            <th scope="col">{words('desk.team')}</th>
            <th scope="col">{words('import.outcome')}</th>
            <th scope="col">{words('import.people')}</th>
            <th scope="col">{words('import.notes')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, teamName, outcome, reason, team, placeholders, invited, joined, registered, notes }) => (
            <tr key={line}>
              <td className="n narrow">{line}</td>
              <th scope="row">
                {team === null ? (
                  <bdi>{teamName === '' ? '–' : teamName}</bdi>
                ) : (
                  <Link to="/t/$tournament/teams/$team" params={{ tournament, team: team.id }}>
                    <bdi>{team.name}</bdi>
                  </Link>
                )}
              </th>
              <td className="nowrap">
                <State shape={shapes[outcome]} {...(outcome === 'rejected' && { tone: 'alert' as const })}>
                  {words(`import.${outcome}`)}
                </State>
              </td>
              <td className="nowrap">
                {[
                  ...(placeholders > 0 ? [words('import.placeholders', { count: placeholders })] : []),
                  ...(invited > 0 ? [words('import.invited', { count: invited })] : []),
                  ...(joined > 0 ? [words('import.joined', { count: joined })] : []),
                  ...(registered ? [words('import.registered')] : []),
                ].join(', ')}
              </td>
              <td>
                {[...(reason === null ? [] : [reason]), ...notes].map((text) => (
                  <p key={text}>
                    <bdi>{text}</bdi>
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
