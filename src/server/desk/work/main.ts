import { type JobLimits, answerJobs } from './answer-jobs.ts';

// `openDeskWork` starts this with the limits as its argument.
answerJobs(JSON.parse(process.argv[2] ?? '') as JobLimits);
