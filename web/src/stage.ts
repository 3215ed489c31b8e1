// The window into the scene: renderer, camera, lights. It draws only when something changed.
import {
  CanvasTexture, Color, DirectionalLight, Group, HemisphereLight, NeutralToneMapping, PerspectiveCamera,
  PMREMGenerator, Scene, SRGBColorSpace, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import { dark, light, type Palette } from "./palette";

export class Stage {
  readonly scene = new Scene();
  readonly root = new Group();
  readonly camera = new PerspectiveCamera(32, 1, 0.001, 100);
  readonly renderer: WebGLRenderer;
  controls: OrbitControls;
  readonly beforeRender: (() => void)[] = [];
  palette: Palette = light;
  frames = 0;
  private pending = false;
  private flight = 0;

  constructor(private readonly container: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    container.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.scene.add(this.root, this.camera);
    this.addLights();
    this.controls = this.makeControls();
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
  }

  /** Anew after the up axis has changed: the controls keep it from when they were made. */
  makeControls(): OrbitControls {
    const target = this.controls?.target;
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    if (target) this.controls.target.copy(target);
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 1e-4;
    this.controls.maxDistance = 40;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => ++this.flight);
    return this.controls;
  }

  private addLights(): void {
    const generator = new PMREMGenerator(this.renderer);
    this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.45;
    generator.dispose();
    const key = new DirectionalLight("#fff6ea", 1.9);
    key.position.set(-1.2, 1.6, 1.4);
    const fill = new DirectionalLight("#dbe8ff", 0.5);
    fill.position.set(2, -0.6, 0.6);
    this.camera.add(key, fill, key.target, fill.target);
    key.target.position.set(0, 0, -1);
    fill.target.position.set(0, 0, -1);
    this.scene.add(new HemisphereLight("#ffffff", "#8894a8", 0.35));
  }

  setTheme(isDark: boolean): void {
    this.palette = isDark ? dark : light;
    const canvas = document.createElement("canvas");
    canvas.width = 256;
    canvas.height = 256;
    const context = canvas.getContext("2d")!;
    const gradient = context.createRadialGradient(128, 90, 10, 128, 120, 210);
    gradient.addColorStop(0, this.palette.top);
    gradient.addColorStop(1, this.palette.bottom);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 256, 256);
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = SRGBColorSpace;
    this.scene.background = texture;
    this.scene.backgroundIntensity = 1;
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
    for (const callback of this.beforeRender) callback();
    this.renderer.render(this.scene, this.camera);
    ++this.frames;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  /** Length of one pixel at a point of the scene. */
  pixel(at: Vector3): number {
    const distance = Math.max(this.camera.position.distanceTo(at), this.camera.near);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(this.container.clientHeight, 1);
  }

  /** Looks at a ball from `direction` (or from where the camera is), at once or in a short flight. */
  look(center: Vector3, radius: number, direction?: Vector3, fly = true): void {
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const distance = Math.max(radius, 1e-4) / Math.sin(narrow);
    const away = (direction?.clone() ?? this.camera.position.clone().sub(this.controls.target)).normalize();
    this.move(center.clone(), center.clone().addScaledVector(away, distance), fly);
  }

  private move(target: Vector3, position: Vector3, fly: boolean): void {
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
