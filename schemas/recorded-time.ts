/**
 * The time of a service whose only feed is a recording: the recording's own. While there is a row, ages
 * and starts are judged by it; without one, by the clock of the machine.
 */
export interface RecordedTime {
  /** How far the recording has come (epoch ms). It does not go back. */
  readonly at: number
}
