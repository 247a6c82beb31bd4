import { useContext } from 'react'
import { words } from '../../data/words.ts'
import { Meanwhile, TextValue } from '../../parts/form/fields.tsx'
import { Field, FieldNotes } from '../../parts/form/form.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { Empty } from '../../parts/loaded.tsx'
import styles from '../manage.module.css'
import type { Question, SettingsValues } from '../settings-values.ts'

/** The questions to those who register. One that keeps its place in the list keeps its answers. */

const types = ['text', 'number', 'select', 'map', 'boolean'] as const
const fresh: Question = {
  label: '',
  help: null,
  type: 'text',
  required: false,
  options: [],
  subject: 'team',
  private: false,
}

export function QuestionFields({ form }: { readonly form: FormState<SettingsValues> }) {
  const questions = form.values.additionalFields
  const note = useContext(FieldNotes)('additionalFields')
  const set = (next: readonly Question[]) => form.set('additionalFields', next)
  const change = (at: number, part: Partial<Question>) =>
    set(questions.map((each, place) => (place === at ? { ...each, ...part } : each)))
  const move = (at: number, by: number) => {
    const next = [...questions]
    next.splice(at + by, 0, ...next.splice(at, 1))
    set(next)
  }
  const label = (value: unknown) => (value as readonly Question[]).map((each) => each.label).join(', ')
  return (
    <>
      {questions.length === 0 && <Empty>{words('settings.no-questions')}</Empty>}
      <ol className="lines">
        {questions.map((question, at) => (
          <li key={question.guid ?? `new ${at}`}>
            <fieldset className={styles.question}>
              <legend className="unseen">{words('settings.question', { number: at + 1 })}</legend>
              <QuestionOf question={question} change={(part) => change(at, part)} />
              <div className="btns">
                <button type="button" className="btn btn-quiet" aria-disabled={at === 0} onClick={() => move(at, -1)}>
                  {words('settings.up')}
                  <span className="unseen">{question.label}</span>
                </button>
                <button
                  type="button"
                  className="btn btn-quiet"
                  aria-disabled={at === questions.length - 1}
                  onClick={() => move(at, 1)}
                >
                  {words('settings.down')}
                  <span className="unseen">{question.label}</span>
                </button>
                <button
                  type="button"
                  className="btn btn-quiet"
                  onClick={() => set(questions.filter((_, place) => place !== at))}
                >
                  {words('settings.remove')}
                  <span className="unseen">{question.label}</span>
                </button>
              </div>
            </fieldset>
          </li>
        ))}
      </ol>
      <Meanwhile form={form} name="additionalFields" show={label} />
      {note}
      <p>
        <button type="button" className="btn" onClick={() => set([...questions, fresh])}>
          {words('settings.add-question')}
        </button>
      </p>
    </>
  )
}

interface Props {
  readonly question: Question
  readonly change: (part: Partial<Question>) => void
}

function QuestionOf({ question, change }: Props) {
  const { label, help, type, subject, options } = question
  return (
    <>
      <TextValue
        name="label"
        label={words('settings.question-label')}
        isRequired
        maxLength={200}
        value={label}
        change={(text) => change({ label: text })}
      />
      <TextValue
        name="help"
        label={words('settings.question-help')}
        maxLength={1_000}
        value={help ?? ''}
        change={(text) => change({ help: text === '' ? null : text })}
      />
      <div className={styles.fields}>
        <Field name="type" label={words('settings.question-type')}>
          {(of) => (
            <select
              {...of}
              className="in"
              value={type}
              onChange={({ target }) => change({ type: target.value as Question['type'] })}
            >
              {types.map((each) => (
                <option key={each} value={each}>
                  {words(`settings.type-${each}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="subject" label={words('settings.question-subject')}>
          {(of) => (
            <select
              {...of}
              className="in"
              value={subject}
              onChange={({ target }) => change({ subject: target.value as Question['subject'] })}
            >
              {(['team', 'player'] as const).map((each) => (
                <option key={each} value={each}>
                  {words(`settings.subject-${each}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {type === 'select' && (
        <TextValue
          name="options"
          label={words('settings.question-options')}
          hint={words('settings.question-options-hint')}
          rows={4}
          value={options.join('\n')}
          change={(text) => change({ options: text.split('\n') })}
        />
      )}
      <div>
        {(['required', 'private'] as const).map((name) => (
          <label key={name} className="choice">
            <input
              type="checkbox"
              checked={question[name]}
              onChange={({ target }) => change({ [name]: target.checked })}
            />
            {words(`settings.question-${name}`)}
          </label>
        ))}
      </div>
    </>
  )
}
