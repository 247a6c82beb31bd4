import { words } from '../../data/words.ts'
import { TextValue } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import { kinds } from './badge-form.tsx'
import styles from './badges.module.css'
import { type Choice, everybodyOf } from './choices.ts'

/** A badge that was asked for, as it will be made, and who of those named gets it. */

interface Props {
  readonly of: Choice
  readonly set: (next: Choice) => void
}

export function ChosenBadge({ of, set }: Props) {
  const { name, description, kind, imageUrl, chosen } = of
  const isMade = chosen.size > 0
  return (
    <fieldset className={styles.chosen}>
      <legend className="unseen">{name === '' ? words('manage-badges.unnamed') : name}</legend>
      <label className="choice">
        <input
          type="checkbox"
          checked={isMade}
          onChange={() => set({ ...of, chosen: isMade ? new Set() : everybodyOf(of) })}
        />
        <span className="strong">{words('admin-badges.make-this', { name })}</span>
      </label>
      {isMade && (
        <>
          {imageUrl !== null && <img src={imageUrl} alt="" className={styles.picture} width="160" height="60" />}
          <details>
            <summary>{words('admin-badges.words')}</summary>
            <div className={styles.words}>
              <TextValue
                name="name"
                label={words('manage-badges.name')}
                value={name}
                change={(text) => set({ ...of, name: text })}
                maxLength={60}
                isRequired
              />
              <TextValue
                name="description"
                label={words('manage-badges.description')}
                value={description}
                change={(text) => set({ ...of, description: text })}
                maxLength={280}
                rows={2}
              />
              <Field name="kind" label={words('manage-badges.kind')}>
                {(field) => (
                  <select
                    {...field}
                    className="in"
                    value={kind}
                    onChange={({ target }) => set({ ...of, kind: target.value as Choice['kind'] })}
                  >
                    {kinds.map((each) => (
                      <option key={each} value={each}>
                        {words(`badges.${each}`)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            </div>
          </details>
          <Recipients of={of} set={set} />
        </>
      )}
    </fieldset>
  )
}

function Recipients({ of, set }: Props) {
  const { recipients, chosen } = of
  const turn = (guid: string) => {
    const next = new Set(chosen)
    if (!next.delete(guid)) next.add(guid)
    set({ ...of, chosen: next })
  }
  return (
    <details>
      <summary>{words('admin-badges.chosen', { chosen: chosen.size, count: recipients.length })}</summary>
      <ul className={styles.recipients}>
        {recipients.map(({ user, label }) => (
          <li key={user.guid}>
            <label className="choice">
              <input type="checkbox" checked={chosen.has(user.guid)} onChange={() => turn(user.guid)} />
              <bdi>{user.preferredName}</bdi>
              {label !== null && <bdi className="muted">{label}</bdi>}
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}
