import type { AdditionalField, Team, TournamentWithParts } from '../../../client/generated.ts'
import type { ApiError } from '../data/api.ts'
import { useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Field, Form } from '../parts/form/form.tsx'
import { type FormState, useForm } from '../parts/form/use-form.ts'
import { Section } from '../parts/section.tsx'
import { useChanged } from './changed.ts'
import { MapAnswer } from './map-answer.tsx'
import styles from './team.module.css'

/** What the tournament asks of those who register; the answers are sent with the registration. */

/** The button that registers is in the head of the page. */
export const answersForm = 'answers-form'

type Response = Team['additionalFields'][number]['response'] | ''
type Responses = Readonly<Record<string, Response>>

/** A field, and the member whose answer it is; null for the team. */
interface Question {
  readonly key: string
  readonly field: AdditionalField
  readonly userGuid: string | null
  readonly name: string | null
}

function questionsOf({ additionalFields }: TournamentWithParts, team: Team): readonly Question[] {
  return additionalFields.flatMap((field): Question[] =>
    field.subject === 'team'
      ? [{ key: field.guid, field, userGuid: null, name: null }]
      : team.members.map(({ user }) => ({
          key: `${field.guid} ${user.guid}`,
          field,
          userGuid: user.guid,
          name: user.preferredName,
        })),
  )
}

function savedOf(questions: readonly Question[], team: Team): Responses {
  const answered = new Map(
    team.additionalFields.map(({ fieldGuid, userGuid, response }) => [
      userGuid === null ? fieldGuid : `${fieldGuid} ${userGuid}`,
      response,
    ]),
  )
  return Object.fromEntries(questions.map(({ key }) => [key, answered.get(key) ?? '']))
}

interface Props {
  readonly tournament: TournamentWithParts
  readonly team: Team
  /** Whether the reader may register the team now. */
  readonly isOpen: boolean
  /** The form has its own button, and speaks to the organiser. */
  readonly isOrganiser?: boolean
}

export function Answers({ tournament, team, isOpen, isOrganiser = false }: Props) {
  const questions = questionsOf(tournament, team)
  // The form registers, even where nothing is asked.
  const form = <AnswersForm team={team} isOpen={isOpen} isOrganiser={isOrganiser} questions={questions} />
  if (questions.length === 0) return form
  return (
    <div id="answers">
      <Section
        title={words('answers.title')}
        beside={
          questions.some(({ field }) => field.private) && <span className="muted">{words('answers.some-private')}</span>
        }
      >
        {form}
      </Section>
    </div>
  )
}

function AnswersForm({
  team,
  isOpen,
  isOrganiser,
  questions,
}: Required<Pick<Props, 'team' | 'isOpen' | 'isOrganiser'>> & { readonly questions: readonly Question[] }) {
  const at = useTournamentId()
  const form = useForm<Record<string, Response>>({ key: `answers-${team.guid}`, saved: savedOf(questions, team) })
  const changed = useChanged(team)
  const register = useWrite('POST /tournaments/{tournament}/register/{team}', (known, { newTeam }) => {
    changed(known, newTeam)
    known.renew(`/tournaments/${at}`)
    form.take()
    // The button has gone; what the heading says has changed.
    document.querySelector<HTMLElement>('main h1')?.focus()
  })
  const send = () => {
    const given = questions.filter(({ key }) => key in form.changed)
    const additionalFields = given.map(({ key, field, userGuid }) => ({
      fieldGuid: field.guid,
      userGuid,
      response: form.values[key] ?? '',
    }))
    return register.send({ params: { tournament: at, team: team.guid }, body: { additionalFields } })
  }
  return (
    <Form
      id={answersForm}
      error={register.error}
      say={refusalWords}
      isChanged={form.isChanged}
      onSubmit={isOpen && !register.isSending ? send : () => {}}
    >
      <fieldset disabled={!isOpen} className={`stack ${styles.answers}`}>
        {questions.map((question) => (
          <Answer key={question.key} question={question} form={form} />
        ))}
      </fieldset>
      {questions.length > 0 && (
        <p className="small muted">
          {isOrganiser
            ? words(isOpen ? 'answers.organiser-hint' : 'answers.organiser-closed')
            : words(
                isOpen
                  ? 'answers.hint'
                  : team.status === 'unregistered'
                    ? 'answers.closed'
                    : 'answers.closed-registered',
              )}
        </p>
      )}
      {isOrganiser && isOpen && questions.length > 0 && (
        <button type="submit" className="btn" aria-disabled={register.isSending}>
          {words('answers.register')}
        </button>
      )}
      <p role="status">{register.isSending ? words('form.saving') : ''}</p>
    </Form>
  )
}

/** What is missing is in its own list, so the refusal only says so. */
const refusalWords = ({ code, message }: ApiError): string =>
  code === 'registration.refused' ? words('answers.refused') : message

function Answer({
  question: { key, field, name },
  form,
}: {
  readonly question: Question
  readonly form: FormState<Record<string, Response>>
}) {
  const value = form.values[key] ?? ''
  const text = typeof value === 'object' ? '' : String(value)
  const set = (next: Response) => form.set(key, next)
  const label = (
    <>
      <bdi>{field.label}</bdi>
      {name !== null && (
        <span className="muted">
          {' '}
          (<bdi>{name}</bdi>)
        </span>
      )}
    </>
  )
  return (
    <Field name={key} label={label} isRequired={field.required} {...(field.help !== null && { hint: field.help })}>
      {(of) => {
        switch (field.type) {
          case 'select':
          case 'boolean': {
            const choices =
              field.type === 'select'
                ? field.options.map((option) => [option, option] as const)
                : ([
                    ['true', words('answers.yes')],
                    ['false', words('answers.no')],
                  ] as const)
            return (
              <select {...of} className="in" value={text} onChange={({ target }) => set(target.value)}>
                <option value="">{words('answers.choose')}</option>
                {choices.map(([option, shown]) => (
                  <option key={option} value={option}>
                    {shown}
                  </option>
                ))}
              </select>
            )
          }
          case 'number':
            return (
              <input
                {...of}
                className="in"
                type="number"
                step="any"
                value={text}
                onChange={({ target }) => set(target.value === '' ? '' : target.valueAsNumber)}
              />
            )
          case 'map':
            return (
              <MapAnswer
                id={of.id}
                describedBy={of['aria-describedby']}
                answer={typeof value === 'object' ? value : null}
                choose={(map) => set(map ?? '')}
              />
            )
          default:
            return (
              <input
                {...of}
                className="in"
                value={text}
                maxLength={1_000}
                dir="auto"
                onChange={({ target }) => set(target.value)}
              />
            )
        }
      }}
    </Field>
  )
}
