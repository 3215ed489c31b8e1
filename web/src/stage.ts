// The window into the scene: renderer, camera, lights. It draws only when something changed.
import {
  Color, DirectionalLight, Group, HemisphereLight, NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
  PMREMGenerator, Raycaster, Scene, SRGBColorSpace, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import { Backdrop } from "./backdrop";
import { addressHash } from "./link";
import { drawModestly } from "./materials";
import { dark, light, type Palette } from "./palette";

const coarsePixels = 100_000;  // of a picture that the processor draws while things move, at most

/** Where the scene is drawn: by a graphics card, or modestly by the processor alone, where every pixel counts. */
interface Canvas { context: WebGL2RenderingContext; modest: boolean }

/** Null where the browser cannot draw. The address ending in #quality=high asks for all of it from the processor, too. */
function makeCanvas(): Canvas | null {
  // Opaque: the browser need not blend it with what is behind, which nobody sees.
  const make = (antialias: boolean) => document.createElement("canvas").getContext("webgl2", {
    alpha: false, depth: true, stencil: false, antialias, powerPreference: "high-performance",
  });
  const context = make(false);
  if (!context) return null;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  if (/swiftshader|llvmpipe|software|basic render/i.test(name) && !/[#&]quality=high\b/.test(addressHash())) return { context, modest: true };
  context.getExtension("WEBGL_lose_context")?.loseContext();
  const smooth = make(true);
  return smooth && { context: smooth, modest: false };
}

export class Stage {
  readonly scene = new Scene();
  readonly root = new Group();
  readonly camera = new PerspectiveCamera(32, 1, 0.001, 100);
  readonly renderer: WebGLRenderer;
  controls: OrbitControls;
  readonly beforeRender: (() => void)[] = [];
  palette: Palette = light;
  frames = 0;
  private readonly backdrop = new Backdrop();
  private readonly key = new DirectionalLight("#fff4e6", 2.3);
  private readonly fill = new DirectionalLight("#e6efff", 0.6);
  private readonly sky = new HemisphereLight("#ffffff", "#8f99aa", 0.3);
  private pending = false;
  private flight = 0;
  private readonly modest: boolean;  // no shadows and reflections: the processor draws
  private readonly sharpness: number;  // pixels of the picture per pixel of the page
  private room = { top: 0, bottom: 0, right: 0 };  // pixels that the page lays over the picture
  private lastDrawn = -Infinity;
  private rest = 0;  // the timer that draws the whole picture once nothing moves
  isCoarse = false;  // the picture is drawn at half size or less, since things move
  /** Called when the camera has moved. */
  onCamera: (() => void) | null = null;
  /** Called after each picture. */
  readonly afterRender: (() => void)[] = [];

  /** Null where the browser cannot draw the scene at all. */
  static in(container: HTMLElement): Stage | null {
    const canvas = makeCanvas();
    return canvas && new Stage(container, canvas);
  }

  private constructor(private readonly container: HTMLElement, { context, modest }: Canvas) {
    this.modest = modest;
    drawModestly(modest);
    this.sharpness = modest ? 1 : Math.min(window.devicePixelRatio, 2);
    this.renderer = new WebGLRenderer({ canvas: context.canvas as HTMLCanvasElement, context, antialias: !modest });
    this.renderer.debug.checkShaderErrors = false;  // to ask waits for each shader in turn; the browser says what is wrong itself
    this.renderer.localClippingEnabled = true;
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.setPixelRatio(this.sharpness);
    container.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.scene.add(this.backdrop.mesh, this.root, this.camera);
    this.addLights();
    this.controls = this.makeControls();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(container);
  }

  /** Again after the up axis has changed: the controls keep it from when they were made. */
  makeControls(): OrbitControls {
    const target = this.controls?.target;
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    if (target) this.controls.target.copy(target);
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 1e-4;
    this.controls.maxDistance = 40;
    this.controls.addEventListener("change", () => {
      this.invalidate();
      this.onCamera?.();
    });
    this.controls.addEventListener("start", () => ++this.flight);
    return this.controls;
  }

  private addLights(): void {
    if (this.modest) {
      this.sky.intensity = 1.9;
    } else {
      const generator = new PMREMGenerator(this.renderer);
      this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
      this.scene.environmentIntensity = 0.42;
      generator.dispose();
    }
    this.camera.add(this.fill, this.fill.target);
    this.fill.position.set(-1, 0.6, 1);
    this.fill.target.position.set(0, 0, -1);
    this.key.castShadow = !this.modest;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 5;
    this.key.shadow.bias = -0.0006;
    this.key.shadow.normalBias = 0.004;
    const box = this.key.shadow.camera;
    [box.left, box.right, box.top, box.bottom, box.near, box.far] = [-1.1, 1.1, 1.1, -1.1, 1, 6];
    this.scene.add(this.key, this.key.target, this.sky);
    this.renderer.shadowMap.enabled = !this.modest;
    this.renderer.shadowMap.type = PCFShadowMap;
  }

  /** The sun stands over the scene, a little to the left: shadows stay while the camera moves. */
  placeLights(): void {
    const { up } = this.camera;
    this.sky.position.copy(up);
    const side = new Vector3(up.z, up.x, up.y);
    const front = side.clone().cross(up);
    this.key.position.copy(up).multiplyScalar(2.6).addScaledVector(side, -1.3).addScaledVector(front, 0.9);
  }

  setTheme(isDark: boolean): void {
    this.palette = isDark ? dark : light;
    this.backdrop.setColors(this.palette.top, this.palette.bottom);
    this.renderer.toneMappingExposure = isDark ? 1 : 1.18;
    this.renderer.setClearColor(new Color(this.palette.bottom));
    this.invalidate();
  }

  invalidate(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.render());
  }

  private render(): void {
    this.pending = false;
    const now = performance.now();
    // Pictures that follow each other are a movement: without a graphics card it is drawn at half size, and whole when it
    // has come to rest.
    if (this.modest) {
      this.setCoarse(now - this.lastDrawn < 250 && !this.keepSharp);
      clearTimeout(this.rest);
      if (this.isCoarse) this.rest = window.setTimeout(() => this.drawSharp(), 260);
    }
    this.draw();
    this.lastDrawn = performance.now();
  }

  /** While a film is taken every picture is whole. */
  keepSharp = false;

  private drawSharp(): void {
    this.setCoarse(false);
    this.draw();
    this.lastDrawn = -Infinity;
  }

  private setCoarse(coarse: boolean): void {
    if (coarse === this.isCoarse) return;
    this.isCoarse = coarse;
    const { clientWidth: width, clientHeight: height } = this.container;
    this.renderer.setPixelRatio(coarse ? Math.min(this.sharpness / 2, Math.sqrt(coarsePixels / (width * height || 1))) : this.sharpness);
  }

  private draw(): void {
    for (const callback of this.beforeRender) callback();
    // From very near the shadow map's own grid would show.
    this.key.shadow.intensity = this.camera.position.distanceTo(this.controls.target) < 0.5 ? 0 : 0.85;
    this.renderer.render(this.scene, this.camera);
    ++this.frames;
    for (const callback of this.afterRender) callback();
  }

  /** The picture as it is now, twice as sharp as the screen shows it. */
  async picture(): Promise<Blob> {
    this.renderer.setPixelRatio(2 * this.sharpness);
    this.draw();
    const blob = await new Promise<Blob | null>((done) => this.renderer.domElement.toBlob(done, "image/png"));
    this.renderer.setPixelRatio(this.sharpness);
    this.isCoarse = false;
    this.draw();
    if (!blob) throw new Error("This browser gives no picture.");
    return blob;
  }

  /** The line of sight through a place of the page. */
  rayAt(clientX: number, clientY: number): Raycaster {
    const box = this.renderer.domElement.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height), this.camera);
    return ray;
  }

  /** Where a point of the scene is in the window, in pixels from its corner. */
  project(point: Vector3): { x: number; y: number } {
    const p = point.clone().project(this.camera);
    return { x: ((p.x + 1) / 2) * this.container.clientWidth, y: ((1 - p.y) / 2) * this.container.clientHeight };
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    const size = this.renderer.getSize(new Vector2());
    if (size.x === width && size.y === height) return;  // to ask again would make the picture's memory again
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.centreView();
    this.invalidate();
  }

  /** The middle of the picture is that of its free part. */
  private centreView(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.camera.setViewOffset(width, height, this.room.right / 2, (this.room.bottom - this.room.top) / 2, width, height);
  }

  /** Length of one pixel at a point of the scene. */
  pixel(at: Vector3): number {
    const distance = Math.max(this.camera.position.distanceTo(at), this.camera.near);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(this.container.clientHeight, 1);
  }

  /** Keeps the scene clear of a heading over the picture and of the tools at its side or its foot. */
  setRoom(heading: HTMLElement, tools: HTMLElement): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    const top = getComputedStyle(heading).position === "absolute" ? heading.offsetHeight : 0;
    const lying = tools.offsetWidth > tools.offsetHeight;
    this.room = {
      top: Math.min(top, height / 3), bottom: lying ? Math.min(tools.offsetHeight + 10, height / 3) : 0,
      right: lying ? 0 : Math.min(tools.offsetWidth + 16, width / 4),
    };
    this.centreView();
  }

  /** Looks from `direction` so that all balls are in the picture. */
  fit(spheres: { center: Vector3; radius: number }[], direction?: Vector3, fly = true): void {
    const away = (direction?.clone() ?? this.camera.position.clone().sub(this.controls.target)).normalize();
    const right = this.camera.up.clone().cross(away).normalize();
    const up = away.clone().cross(right);
    const height = Math.max(this.container.clientHeight, 1), width = Math.max(this.container.clientWidth, 1);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360) * 0.94;
    // Half-widths of what may be used.
    const across = tangent * this.camera.aspect * (1 - this.room.right / width);
    const upward = tangent * (1 - (this.room.top + this.room.bottom) / height);
    const axes = [{ axis: right, slope: across }, { axis: up, slope: upward }];
    const center = new Vector3();
    let distance = 1e-3;
    for (const { axis, slope } of axes) {
      // The two lines of sight that touch the balls on either side meet at the eye.
      const side = Math.hypot(1, slope);
      let low = -Infinity, high = -Infinity;
      for (const ball of spheres) {
        const x = ball.center.dot(axis), depth = ball.center.dot(away) * slope;
        high = Math.max(high, x + depth + ball.radius * side);
        low = Math.max(low, -x + depth + ball.radius * side);
      }
      if (!spheres.length) high = low = slope;
      center.addScaledVector(axis, (high - low) / 2);
      distance = Math.max(distance, (high + low) / (2 * slope));
    }
    this.move(center, center.clone().addScaledVector(away, distance), fly);
  }

  /** Looks at a ball from `direction` (or from where the camera is), at once or in a short flight. */
  look(center: Vector3, radius: number, direction?: Vector3, fly = true): void {
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const distance = Math.max(radius, 1e-4) / Math.sin(narrow);
    const away = (direction?.clone() ?? this.camera.position.clone().sub(this.controls.target)).normalize();
    this.move(center.clone(), center.clone().addScaledVector(away, distance), fly);
  }

  /** From where the camera looks, a unit vector. */
  get direction(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  move(target: Vector3, position: Vector3, fly: boolean): void {
    const id = ++this.flight;
    const targetFrom = this.controls.target.clone();
    const positionFrom = this.camera.position.clone();
    const start = performance.now();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = () => {
      if (id !== this.flight) return;
      const u = fly && !still ? Math.min((performance.now() - start) / 450, 1) : 1;
      const eased = u * u * (3 - 2 * u);
      this.controls.target.lerpVectors(targetFrom, target, eased);
      this.camera.position.lerpVectors(positionFrom, position, eased);
      const distance = this.camera.position.distanceTo(this.controls.target);
      this.camera.near = Math.max(distance * 1e-3, 1e-6);
      this.camera.far = distance + 50;
      this.camera.updateProjectionMatrix();
      this.controls.update();
      this.invalidate();
      if (u < 1) requestAnimationFrame(step);
    };
    step();
  }
}
