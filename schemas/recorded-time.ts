/**
 * The time of a service whose only feed is a recording: the recording's own. While there is a row, ages and starts
 * are judged by it; otherwise by the clock of the machine.
 */
export interface RecordedTime {
  /** The time that the recording has reached (epoch ms). It does not go back. */
  readonly at: number
}
