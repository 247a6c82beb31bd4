import { useState } from 'react'
import type { ApiError } from '../../data/api.ts'
import type { Writes } from '../../data/generated.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { ActLink } from '../act-link.tsx'
import { Figures, Sentences } from './estimate-answer.tsx'
import type { Plan } from './plan.ts'
import styles from './schedule.module.css'

/** Asks how long the evening takes, before anything of it has a time. */

const at = 'POST /tournaments/{tournament}/estimate'
export type Question = Writes[typeof at]['body']
export type Answer = Writes[typeof at]['reply']

interface Wish {
  readonly teams: number | null
  /** Numbers, as the reader separates them. */
  readonly noShows: string
  readonly channels: number | null
  /** Empty for what the brackets have. */
  readonly bestOf: string
  readonly format: string
}

const formats = ['single_elimination', 'double_elimination', 'round_robin', 'swiss'] as const
const lengths = ['1', '3', '5', '7', '9'] as const
const most = 8

export function Estimate({ plan }: { readonly plan: Plan }) {
  const tournament = useTournamentId()
  const registered = useTournament().data?.counts.registered ?? 0
  const form = useForm({ key: `estimate-${tournament}`, saved: usualOf(plan, registered) })
  const [answered, setAnswered] = useState<{ readonly body: Question; readonly answer: Answer } | null>(null)
  const ask = useWrite(at, (_known, answer, { body }) => setAnswered({ body: body as Question, answer }))
  const shown = ask.isSending || ask.error !== null ? null : answered
  const hasBrackets = plan.matches.length > 0
  return (
    <div className="no-print">
      <Section title={words('estimate.title')}>
        <Form
          className={styles.ask}
          error={ask.error}
          say={sayOf}
          onSubmit={() => ask.send({ params: { tournament }, body: questionOf(form.values, hasBrackets) })}
        >
          <p>{words(hasBrackets ? 'estimate.how' : 'estimate.how-without')}</p>
          <div className={styles.fields}>
            <NumberField form={form} name="teams" label={words('estimate.teams')} min={2} max={4096} isRequired />
            <TextField
              form={form}
              name="noShows"
              label={words('estimate.no-shows')}
              hint={words('estimate.no-shows-hint')}
              maxLength={60}
            />
            <NumberField form={form} name="channels" label={words('estimate.channels')} min={1} max={16} isRequired />
            {!hasBrackets && (
              <SelectField
                form={form}
                name="format"
                label={words('estimate.format')}
                options={formats.map((format) => [format, words(`format.${format}`)])}
              />
            )}
            <SelectField
              form={form}
              name="bestOf"
              label={words('estimate.best-of')}
              options={[
                ['', words(hasBrackets ? 'estimate.as-planned' : 'estimate.usual-length')],
                ...lengths.map((count) => [count, words('estimate.best-of-all', { count })] as const),
              ]}
            />
          </div>
          <Save isSending={ask.isSending}>{words('estimate.ask')}</Save>
          <div role="status">
            {ask.isSending && <p>{words('estimate.busy')}</p>}
            {shown !== null && <Sentences {...shown} />}
          </div>
          {shown !== null && <Figures answer={shown.answer} />}
          {shown !== null && (
            <p>
              {words('estimate.rehearse')} <ActLink act="rehearsals.create">{words('estimate.rehearsal')}</ActLink>
            </p>
          )}
        </Form>
      </Section>
    </div>
  )
}

const sayOf = (error: ApiError) => (error.code === 'service.busy' ? words('estimate.line') : error.message)

const usualTeams = 16

/** As many teams as the brackets have, or else as are registered. */
function usualOf({ matches, channels }: Plan, registered: number): Wish {
  const teams = new Set(matches.flatMap(({ sides }) => sides.flatMap(({ team }) => team?.guid ?? [])))
  return {
    teams: [teams.size, registered].find((count) => count > 1) ?? usualTeams,
    noShows: '0, 1, 2',
    channels: Math.min(Math.max(channels.length, 1), 16),
    bestOf: '',
    format: 'double_elimination',
  }
}

function questionOf({ teams, noShows, channels, bestOf, format }: Wish, hasBrackets: boolean): Question {
  const numbers = [...new Set(noShows.match(/\d+/g)?.map(Number))].slice(0, most)
  return {
    teams: teams ?? 2,
    noShows: numbers.length === 0 ? [0] : numbers,
    channels: channels ?? 1,
    ...(bestOf !== '' && { bestOf: Number(bestOf) }),
    ...(!hasBrackets && { format: format as (typeof formats)[number] }),
  }
}
