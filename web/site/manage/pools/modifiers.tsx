import type { PoolMap } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import styles from './pools.module.css'

/** The modifiers that a map is played with, in the game's own words. */

type Modifier = PoolMap['modifiers'][number]

const all = [
  'NoFail',
  'NoBombs',
  'NoArrows',
  'NoObstacles',
  'SlowSong',
  'FastSong',
  'SuperFastSong',
  'InstaFail',
  'FailOnClash',
  'BatteryEnergy',
  'FastNotes',
  'DisappearingArrows',
  'GhostNotes',
  'StrictAngles',
  'ProMode',
  'ZenMode',
  'SmallCubes',
] as const satisfies readonly Modifier[]

/** A song has one speed. */
const speeds: readonly Modifier[] = ['SlowSong', 'FastSong', 'SuperFastSong']

/** `DisappearingArrows` as "Disappearing arrows". */
const spaced = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

export function Modifiers({
  chosen,
  choose,
}: {
  readonly chosen: readonly Modifier[]
  readonly choose: (modifiers: readonly Modifier[]) => void
}) {
  const tick = (modifier: Modifier, isChosen: boolean) => {
    const left = chosen.filter(
      (each) => each !== modifier && !(isChosen && speeds.includes(modifier) && speeds.includes(each)),
    )
    choose(isChosen ? [...left, modifier] : left)
  }
  return (
    <fieldset>
      <legend className="strong">{words('poolers.modifiers')}</legend>
      <div className={styles.modifiers}>
        {all.map((modifier) => (
          <label key={modifier} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(modifier)}
              onChange={({ target }) => tick(modifier, target.checked)}
            />
            {spaced(modifier)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
