// How time runs when it plays: speed, loop, and slowly near the events.

export interface PlaybackSettings { speed: number; loop: boolean; slow: boolean }

export const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

const nearby = 0.06;   // of the whole time: so far from an event it starts to slow down
const slowest = 0.12;  // of the usual speed, at the event

/** Units of time per second. */
export function rateAt(time: number, duration: number, events: number[], settings: PlaybackSettings): number {
  const seconds = Math.min(Math.max(duration * 0.25, 5), 20);
  const usual = (duration / seconds) * settings.speed;
  if (!settings.slow) return usual;
  const away = events.reduce((least, event) => Math.min(least, Math.abs(time - event)), Infinity);
  return usual * Math.min(Math.max(away / (nearby * duration), slowest), 1);
}

/** The time `elapsed` seconds later, at most `duration`; in small steps, so that a slow picture does not run past an event. */
export function advance(time: number, elapsed: number, duration: number, events: number[], settings: PlaybackSettings): number {
  const steps = Math.max(1, Math.ceil(elapsed / 0.01));
  for (let i = 0; i < steps && time < duration; ++i) time += (rateAt(time, duration, events, settings) * elapsed) / steps;
  return Math.min(time, duration);
}
