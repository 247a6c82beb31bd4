import { words } from '../data/words.ts'
import styles from './countdown.module.css'
import { useNow } from './time.tsx'

/** The time until an instant as the number that a part of a page is about. */

const two = (value: number) => String(value).padStart(2, '0')

export function Countdown({ at }: { readonly at: string }) {
  const time = useNow(1_000)
  const left = Math.max(0, Math.ceil((Date.parse(at) - time) / 1_000))
  const [days, hours, minutes] = [Math.floor(left / 86_400), Math.floor(left / 3_600) % 24, Math.floor(left / 60) % 60]
  return (
    <span className={styles.countdown} role="timer">
      {days > 0 && <>{words('countdown.days', { days })} </>}
      <span className="num">
        {two(hours)}:{two(minutes)}:{two(left % 60)}
      </span>
    </span>
  )
}
